import { setTimeout } from "node:timers/promises";
import type { CallOptions } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import type { ClusterCall } from "./cluster.js";
import { isMissingRight, isStarting, LOST, perhapsStarting, reasonOf, statusOf } from "./cluster-error.js";

const FIRST_WAIT_MS = 20;
const MOST_TRIES = 9;
/** A server that was away knows all its rules again after that time. */
const STARTING_MS = 60_000;

/** Sends a call again, after a growing wait, while the API server refuses it for a reason that passes or is away. */
export type UntilAccepted = <T>(
  call: ClusterCall,
  send: () => Promise<T>,
  options: CallOptions,
) => Promise<T>;

/**
 * Makes the sender of one process's calls. A call that the server may have carried out is sent again only where that makes
 * no difference, which `POST` has to say. A server that just started may not know the rights yet, so that a right counts
 * as there which this process has used, and every right where the server was away a moment ago.
 */
export function untilAccepted(now: () => number = () => performance.now()): UntilAccepted {
  const accepted = new Set<string>();
  let awayMs = Number.NEGATIVE_INFINITY;
  return async (call, send, { signal }) => {
    const right = rightOf(call);
    for (let tries = 1; ; tries++) {
      try {
        const answer = await send();
        accepted.add(right);
        return answer;
      } catch (error) {
        if (isAway(error)) awayMs = now();
        const mayHave = isMissingRight(error) && (accepted.has(right) || now() - awayMs < STARTING_MS);
        if (tries === MOST_TRIES || !(mayHave || passes(call, error)))
          throw mayHave ? perhapsStarting(error) : error;
        // Callers that collided do not collide again.
        const wait = FIRST_WAIT_MS * 2 ** (tries - 1) * (0.5 + Math.random());
        // The signal ends the pause.
        await setTimeout(wait, undefined, { signal }).catch(() => undefined);
        checkAborted(signal);
      }
    }
  };
}

/** Returns the same text for all calls that need the same right of a Role. */
function rightOf({ method = "GET", path }: ClusterCall): string {
  return `${method} ${path.split("?")[0]?.replace(/(\/namespaces\/[^/]+\/[^/]+)\/[^/]+/, "$1/*")}`;
}

/** The API server refuses a new object while its quota changes, and a change while the object changes. It has done nothing then. */
function passes({ method, mayRepeat }: ClusterCall, error: unknown): boolean {
  const status = statusOf(error);
  if (isAway(error)) return method !== "POST" || mayRepeat === true;
  return (
    status === 429 ||
    isStarting(error) ||
    ((method === "POST" || (method === "PATCH" && mayRepeat !== false)) &&
      status === 409 &&
      reasonOf(error) === "Conflict")
  );
}

function isAway(error: unknown): boolean {
  return reasonOf(error) === LOST || statusOf(error) === 503;
}
