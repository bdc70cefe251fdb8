import { SkillError } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import type { AgentServerOptions, FailedRequest, FailedTurn } from "./server-options.js";

/** Tells the operator why a request or a turn failed. A failure of the operator's function has no effect. */
export function tellFailure(
  error: unknown,
  failed: FailedRequest | FailedTurn,
  onError: AgentServerOptions["onError"] = printed,
): void {
  try {
    Promise.resolve(onError(error, failed)).catch(() => undefined);
  } catch {}
}

function printed(error: unknown, failed: FailedRequest | FailedTurn): void {
  const what =
    "turn" in failed
      ? `Turn ${failed.turn} of conversation ${failed.conversation} failed`
      : `${failed.method} ${failed.path} failed (request ${failed.requestId})`;
  const told = `${what}: ${reasons(error).join(": ")}`;
  console.error(shownLine(withoutCredentials(told)).slice(0, MOST_CHARACTERS));
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
