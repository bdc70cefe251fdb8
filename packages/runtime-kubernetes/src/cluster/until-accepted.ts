import { setTimeout } from "node:timers/promises";
import type { CallOptions } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import type { ClusterCall } from "./cluster.js";
import { isMissingRight, isStarting, LOST, reasonOf, statusOf } from "./cluster-error.js";

const FIRST_WAIT_MS = 20;
const MOST_TRIES = 9;

/** Sends a call again, after a growing wait, while the API server refuses it for a reason that passes or is away. */
export type UntilAccepted = <T>(
  call: ClusterCall,
  send: () => Promise<T>,
  options: CallOptions,
) => Promise<T>;

/**
 * Makes the sender of one process's calls. A call that the server may have carried out is sent again only where that makes
 * no difference, which `POST` has to say. A server that just started may not know the rights yet, so that a right which
 * this process has used counts as there.
 */
export function untilAccepted(): UntilAccepted {
  const accepted = new Set<string>();
  return async (call, send, { signal }) => {
    const right = rightOf(call);
    for (let tries = 1; ; tries++) {
      try {
        const answer = await send();
        accepted.add(right);
        return answer;
      } catch (error) {
        const isPassing = passes(call, error) || (accepted.has(right) && isMissingRight(error));
        if (tries === MOST_TRIES || !isPassing) throw error;
        // Callers that collided do not collide again.
        const wait = FIRST_WAIT_MS * 2 ** (tries - 1) * (0.5 + Math.random());
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
  if (reasonOf(error) === LOST || status === 503) return method !== "POST" || mayRepeat === true;
  return (
    status === 429 ||
    isStarting(error) ||
    ((method === "POST" || (method === "PATCH" && mayRepeat !== false)) &&
      status === 409 &&
      reasonOf(error) === "Conflict")
  );
}
