/** The files were replaced while they were read: look again. */
export class ChangedMeanwhile extends Error {}

/** True for an operating system error; with codes, only for those. */
export function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  if (!(error instanceof Error) || !("errno" in error) || !("code" in error)) return false;
  return codes.length === 0 || codes.includes(String(error.code));
}

/** True when the requested file is missing or has changed its type. */
export function isGone(error: unknown): boolean {
  return error instanceof ChangedMeanwhile || isErrno(error, "ENOENT", "ENOTDIR");
}

/** For `catch`: `undefined` where the requested file is missing. Throws every other error. */
export function ignoreGone(error: unknown): undefined {
  if (!isGone(error)) throw error;
}
