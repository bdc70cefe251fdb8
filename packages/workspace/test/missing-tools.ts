import { access, constants } from "node:fs/promises";
import path from "node:path";

/** Those that are not on this machine's PATH; one line says so, or it is a failure where everything is asked for. */
export async function missingTools(what: string, tools: readonly string[]): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const tool of tools) if (!(await isOnPath(tool))) missing.push(tool);
  if (missing.length === 0) return missing;
  const message = `${what} is not tested, these are missing here: ${missing.join(", ")}`;
  if (process.env["SKILLWRIGHT_REQUIRE_ALL"] === "1") throw new Error(message);
  console.log(message);
  return missing;
}

async function isOnPath(tool: string): Promise<boolean> {
  for (const directory of (process.env["PATH"] ?? "").split(":"))
    if (
      await access(path.join(directory, tool), constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return true;
  return false;
}
