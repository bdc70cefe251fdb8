import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { SkillError } from "@skillwright/core";
import { writableFolder } from "../handing-on/writable-folder.js";
import { suggestedName } from "./suggested-name.js";

/** Creates a folder and its parents. @throws SkillError with this code where the folder exists; `INPUT_INVALID` where it cannot be made. */
export async function makeFolder(directory: string, code: "SKILL_EXISTS" | "CONFLICT"): Promise<void> {
  await writableFolder(dirname(directory), { what: "Files", option: "--dir" });
  try {
    await mkdir(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const message = `${directory} already exists. Choose another name, or another folder with --dir.`;
    throw new SkillError(code, message, { cause: error });
  }
}

/** Creates the error for a name that breaks the rule, with a similar name that does not. */
export function invalidName(name: string, what: "skill" | "plugin", rule: string): SkillError {
  const suggestion = suggestedName(name);
  const remedy = suggestion === undefined ? "" : ` Try "${suggestion}".`;
  return new SkillError(
    "INPUT_INVALID",
    `${JSON.stringify(name)} is not a valid ${what} name: use 1 to 64 characters a to z, 0 to 9, and ${rule}.${remedy}`,
    { details: { name, suggestion } },
  );
}
