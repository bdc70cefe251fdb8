import { SkillError } from "@skillwright/core";
import { attempts, untilAborted } from "@skillwright/core/adapter";
import { keyOfTooLarge, MOST_BYTES } from "./size-limit.js";

const MAX_REASON_LENGTH = 300;

/**
 * Settles as the work does, or rejects with `ABORTED` as soon as the signal fires.
 * @throws SkillError `LIMIT_EXCEEDED` for a value that is too large to be read; `BACKEND_FAILED` for any error of Redis
 * or the client, with a remedy.
 */
export async function attempt<T>(
  doing: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  return await inRedis(doing, signal, () => untilAborted(work(), signal));
}

const inRedis = attempts("", (error, doing) =>
  SkillError.is(error) ? error : (valueTooLarge(doing, error) ?? backendFailed(doing, error)),
);

function valueTooLarge(doing: string, error: unknown): SkillError | undefined {
  const key = keyOfTooLarge(error);
  if (key === undefined) return undefined;
  return new SkillError(
    "LIMIT_EXCEEDED",
    `${doing} stopped: the value of ${JSON.stringify(key)} in Redis is larger than the ${MOST_BYTES} bytes that are read at once. Remove it, or store less.`,
    { details: { key, limit: MOST_BYTES } },
  );
}

/**
 * Sends a command that the server carries out once, however often it receives it: up to three times after time-outs, which a busy
 * process also has when the server has answered.
 */
export async function sentAgain<T>(send: () => Promise<T>): Promise<T> {
  const ifLate = async (error: unknown): Promise<T> => {
    if (!/timed out/.test(String(error))) throw error;
    return await send();
  };
  return await send().catch(ifLate).catch(ifLate);
}

/** True for Redis's error that a key holds another type of value. */
export function isWrongType(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("WRONGTYPE");
}

function backendFailed(doing: string, error: unknown): SkillError {
  const reason = plainReason(error);
  return new SkillError("BACKEND_FAILED", `${doing} failed in Redis: ${reason} ${remedy(reason)}`, {
    // Copied: the client's errors contain the command with its arguments, which may be a password or a conversation.
    cause: Object.assign(new Error(reason), { name: error instanceof Error ? error.name : "Error" }),
  });
}

function plainReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const masked = text.replace(/\/\/[^/@\s]*@/g, "//***@").replace(/, with args beginning with:.*/s, "");
  const cut = masked.length > MAX_REASON_LENGTH ? `${masked.slice(0, MAX_REASON_LENGTH)}...` : masked;
  return /[.!?]$/.test(cut) ? cut : `${cut}.`;
}

function remedy(reason: string): string {
  const known = REMEDIES.find(([pattern]) => pattern.test(reason));
  return known ? known[1] : "Try again; if it keeps failing, check the server's log.";
}

const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /NOAUTH|WRONGPASS|NOPERM/,
    "Give the client a user with permission to run scripts and to use keys and channels with this prefix.",
  ],
  [/OOM/, "The server has reached its maxmemory: raise it, or remove unneeded data."],
  [/READONLY/, "The client is connected to a replica: connect it to the master, or through Sentinel."],
  [/unknown command/i, "Redis 6.2 or later with EVAL and EVALSHA allowed is needed."],
  [/MISCONF/, "The server cannot write its data to disk: check its log."],
  [
    /ECONN|ETIMEDOUT|ENOTFOUND|EPIPE|ENOENT|[Cc]onnection|[Mm]ax retries|CLUSTERDOWN|LOADING|slots cache|timed out/,
    "Check that the server runs and can be reached from here, then try again.",
  ],
];
