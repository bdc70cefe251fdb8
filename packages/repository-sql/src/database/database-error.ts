import { SkillError } from "@skillwright/core";

const MAX_REASON_LENGTH = 300;

/**
 * Returns a `SkillError` unchanged. Maps an error of the driver to `BACKEND_FAILED` with its reason and a remedy; the
 * driver's own error, which may contain values of the statement, is not passed on.
 */
export function databaseError(error: unknown, label: string): SkillError {
  if (SkillError.is(error)) return error;
  const reason = plainReason(error);
  const code = codeOf(error);
  return new SkillError("BACKEND_FAILED", `${label} failed: ${reason} ${remedy(`${code} ${reason}`)}`, {
    cause: Object.assign(new Error(reason), { code }),
    details: { ...(code !== "" && { code }) },
  });
}

/** The driver's code: a class of SQLSTATE, a system error, or SQLite's number as `SQLITE_5`. */
export function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "";
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  // The low byte is the primary result code; the other bytes extend it.
  if (typeof errcode === "number") return `SQLITE_${errcode & 0xff}`;
  return typeof code === "string" ? code : "";
}

function plainReason(error: unknown): string {
  const text =
    error instanceof Error && error.message !== "" ? error.message : codeOf(error) || String(error);
  const masked = text.replace(/\/\/[^/@\s]*@/g, "//***@");
  const cut = masked.length > MAX_REASON_LENGTH ? `${masked.slice(0, MAX_REASON_LENGTH)}...` : masked;
  return /[.!?]$/.test(cut) ? cut : `${cut}.`;
}

function remedy(reason: string): string {
  const known = REMEDIES.find(([pattern]) => pattern.test(reason));
  return known ? known[1] : "Try again; where it stays so, look at the database's log.";
}

const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_[56] /, "Another process writes. Try again, or let that process end its transaction."],
  [/^(SQLITE_8|25006) /, "Open the database for writing, or give this user the right to write."],
  [/^(SQLITE_13|53100) /, "Free space on the disk of the database, then try again."],
  [/^SQLITE_14 /, "Create its folder, and look whether this user may write there."],
  [/^(SQLITE_11|SQLITE_26) /, "The file is damaged or no SQLite database: restore it, or name another file."],
  [/^(28|3D|42501)/, "Look at user, password, name of the database and the rights of the user."],
  [/^(40001|40P01) /, "Other processes write the same rows. Try again."],
  [
    /^(08|57P|53300|E[A-Z]+ )|[Cc]onnection|timeout/,
    "Check that the server runs and can be reached from here, then try again.",
  ],
];
