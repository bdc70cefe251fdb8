/** All error codes of the packages. The set is closed: a new code is a new minor version of every package. */
export type SkillErrorCode =
  | "SKILL_NOT_FOUND"
  | "SKILL_INVALID"
  | "SKILL_EXISTS"
  | "FILE_NOT_FOUND"
  | "PATH_INVALID"
  | "PATH_OUTSIDE"
  | "INPUT_INVALID"
  | "CONFIG_INVALID"
  | "LIMIT_EXCEEDED"
  | "DIGEST_MISMATCH"
  | "WORKSPACE_NOT_FOUND"
  | "WORKSPACE_DAMAGED"
  | "RUN_NOT_FOUND"
  | "ARTIFACT_NOT_FOUND"
  | "SESSION_NOT_FOUND"
  | "CONFLICT"
  | "REFUSED"
  | "UNSUPPORTED"
  | "ISOLATION_UNAVAILABLE"
  | "CLOSED"
  | "ABORTED"
  | "BACKEND_FAILED";

export interface SkillErrorOptions {
  /** The original error. */
  cause?: unknown;
  /** Plain data for programs, for instance `{ limit: 4194304 }`. */
  details?: Readonly<Record<string, unknown>>;
}

/**
 * The only error class of all packages. The message names the thing, the rule and the remedy, and can be shown to a
 * person or a model unchanged. Recognise it with `SkillError.is`: two copies of this package may be loaded in one
 * process, where `instanceof` fails.
 */
export class SkillError extends Error {
  readonly code: SkillErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: SkillErrorCode, message: string, options: SkillErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "SkillError";
    this.code = code;
    this.details = options.details ?? {};
  }

  /** True for a `SkillError` of any copy of this package; with `code`, only for that code. */
  static is(value: unknown, code?: SkillErrorCode): value is SkillError {
    if (typeof value !== "object" || value === null) return false;
    const error = value as { name?: unknown; code?: unknown };
    return (
      error.name === "SkillError" &&
      typeof error.code === "string" &&
      (code === undefined || error.code === code)
    );
  }

  /** Returns a `SkillError` unchanged and wraps anything else as `BACKEND_FAILED` with the original as its cause. */
  static from(value: unknown, doing: string): SkillError {
    if (SkillError.is(value)) return value;
    const reason = value instanceof Error ? value.message : String(value);
    return new SkillError("BACKEND_FAILED", `${doing} failed: ${reason}`, { cause: value });
  }
}
