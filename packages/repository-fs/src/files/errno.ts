/** What was being read was replaced meanwhile: look again. */
export class ChangedMeanwhile extends Error {}

/** True for an error of the operating system, and with codes only for those. */
export function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  if (!(error instanceof Error) || !("errno" in error) || !("code" in error)) return false;
  return codes.length === 0 || codes.includes(String(error.code));
}

/** True when what was asked for is not there, or no longer as it was. */
export function isGone(error: unknown): boolean {
  return error instanceof ChangedMeanwhile || isErrno(error, "ENOENT", "ENOTDIR");
}
