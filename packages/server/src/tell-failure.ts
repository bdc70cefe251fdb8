import { SkillError } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import type { AgentServerOptions, FailedRequest, FailedTurn, FailedWork } from "./server-options.js";

/** Tells the operator what failed, and why. A failure of the operator's function has no effect. */
export function tellFailure(
  error: unknown,
  failed: FailedRequest | FailedTurn | FailedWork,
  onError: AgentServerOptions["onError"] = printed,
): void {
  try {
    Promise.resolve(onError(error, failed)).catch(() => undefined);
  } catch {}
}

/** Tells the operator that work failed for whose result nobody waits. */
export type TellWork = (work: string, error: unknown) => void;

/** While a store is away, its work fails again and again: each kind is told once in this time. */
const TOLD_AGAIN_MS = 60_000;

export function tellWork(onError: AgentServerOptions["onError"]): TellWork {
  const lastMs = new Map<string, number>();
  return (work, error) => {
    const nowMs = performance.now();
    if (nowMs - (lastMs.get(work) ?? -TOLD_AGAIN_MS) < TOLD_AGAIN_MS) return;
    lastMs.set(work, nowMs);
    tellFailure(error, { work }, onError);
  };
}

function printed(error: unknown, failed: FailedRequest | FailedTurn | FailedWork): void {
  const told = `${whatFailed(failed)}: ${reasons(error).join(": ")}`;
  console.error(shownLine(withoutCredentials(told)).slice(0, MOST_CHARACTERS));
}

function whatFailed(failed: FailedRequest | FailedTurn | FailedWork): string {
  if ("work" in failed) return `${failed.work} failed`;
  if ("turn" in failed) return `Turn ${failed.turn} of conversation ${failed.conversation} failed`;
  return `${failed.method} ${failed.path} failed (request ${failed.requestId})`;
}

const MOST_CHARACTERS = 2000;
const MOST_CAUSES = 5;

/** The message of the error and those of its causes. */
function reasons(error: unknown): readonly string[] {
  const told: string[] = [];
  for (let cause = error; cause !== undefined && told.length < MOST_CAUSES; cause = Object(cause).cause)
    told.push(reason(cause));
  return told;
}

/** An unexpected error is followed by the place in the code where it was thrown. */
function reason(error: unknown): string {
  if (SkillError.is(error)) return `${error.code} ${error.message}`;
  if (!(error instanceof Error)) return String(error);
  const place = /^\s*(at .*)$/m.exec(error.stack ?? "")?.[1];
  return `${error.name}: ${error.message}${place === undefined ? "" : ` (${place})`}`;
}

/** Errors of database and HTTP clients quote addresses and headers, which may contain credentials. */
function withoutCredentials(text: string): string {
  return text
    .replace(/([A-Za-z][A-Za-z0-9+.-]*:\/\/)[^\s/@'"]*(?:@[^\s/@'"]*)*@/g, "$1***@")
    .replace(/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, "$1 ***");
}
