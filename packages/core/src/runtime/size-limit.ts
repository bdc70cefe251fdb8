import { SkillError } from "../skill-error.js";

/** The kernel's limit for a single argument or variable. */
export const MAX_STRING_BYTES = 128 * 1024 - 1;

/** @throws SkillError `LIMIT_EXCEEDED`. The system itself would only report that the argument list is too long. */
export function checkSize(what: string, bytes: number, limit: number): void {
  if (bytes <= limit) return;
  throw new SkillError(
    "LIMIT_EXCEEDED",
    `${what} has ${bytes} bytes, but the system allows only ${limit}. Put large text into a file in work/ or into stdin.`,
    { details: { limit, bytes } },
  );
}
