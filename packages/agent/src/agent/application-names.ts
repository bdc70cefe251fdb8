import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import type { WorkspacesName } from "@skillwright/config";

/**
 * Returns the names for the workspaces of an application that gives its runtime no other: they come from its name and from the folder
 * in which it runs. So applications in different folders, or with different names, neither see nor destroy each other's workspaces,
 * and one that is started again in its folder finds its own.
 *
 * @param folder Defaults to the working directory.
 */
export function applicationNames(
  app: string,
  folder: string = process.cwd(),
): WorkspacesName & { local: string } {
  const place = JSON.stringify([app, realpathSync(folder)]);
  const name = `app-${createHash("sha256").update(place).digest("hex").slice(0, 16)}`;
  return { shared: name, local: name };
}
