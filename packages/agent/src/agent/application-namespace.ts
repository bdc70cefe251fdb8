import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";

/**
 * Returns a namespace for the workspaces of an application, made from the application's name and the folder in which it runs.
 * Applications in different folders, or with different names, neither see nor destroy each other's workspaces. An application that is
 * started again in its folder finds its own.
 *
 * @param folder Defaults to the working directory.
 */
export function applicationNamespace(app: string, folder: string = process.cwd()): string {
  const place = JSON.stringify([app, realpathSync(folder)]);
  return `app-${createHash("sha256").update(place).digest("hex").slice(0, 16)}`;
}
