import { SkillError } from "./skill-error.js";

/** What the system answers where there can be nothing: also below a file, in a circle of links, and for a name that no file can have. */
const NOTHING = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"]);

/**
 * What a look at the file system finds; `undefined` where nothing is there. A place that cannot be looked at may have something.
 * @throws SkillError `BACKEND_FAILED` with the system's reason, such as `EACCES`.
 */
export async function ifThere<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look;
  } catch (error) {
    if (NOTHING.has((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw SkillError.from(error, "Looking at the file system");
  }
}
