import { SkillError } from "./skill-error.js";

/** Codes of the system's answers where there can be nothing: also below a file, in a circle of links, and for a name that no file can have. */
const NOTHING = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"]);

/**
 * Returns what was found in the file system, or `undefined` where nothing is there.
 * @throws SkillError `BACKEND_FAILED` with the system's reason, such as `EACCES`, where it cannot be looked at.
 */
export async function ifThere<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look;
  } catch (error) {
    if (NOTHING.has((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw SkillError.from(error, "Looking at the file system");
  }
}
