import type { Diagnostic } from "@skillwright/core";
import type { SkillServerOptions } from "../skill-server-options.js";
import { type HostEndpoint, hostEndpoint } from "./host-endpoint.js";
import type { UserEndpointOptions } from "./user-endpoint.js";
import { whenRead } from "./when-read.js";

export interface KeptEndpoints {
  /** Answers a request of a user; `undefined` where too many other users have open requests. */
  fetch(userId: string, request: Request): Promise<Response | undefined>;
  close(): Promise<void>;
}

interface Kept {
  readonly endpoint: Promise<HostEndpoint>;
  /** Requests whose answer has not been read to its end. */
  open: number;
  /** Fires when the user was idle for long enough. */
  idle?: NodeJS.Timeout;
}

const IDLE_MS = 30 * 60 * 1000;
const MAX_USERS = 256;

/** Keeps an endpoint for each user who has made a request lately. */
export function keptEndpoints(
  options: SkillServerOptions,
  {
    hostnames,
    partsOf = () => ({}),
    idleMs = IDLE_MS,
    maxUsers = MAX_USERS,
  }: Pick<UserEndpointOptions, "hostnames" | "partsOf" | "idleMs" | "maxUsers">,
): KeptEndpoints {
  /** The user who has been idle for the longest time is the first. */
  const users = new Map<string, Kept>();
  const ending = new Set<Promise<unknown>>();
  let isClosed = false;

  function keptOf(userId: string): Kept | undefined {
    const existing = users.get(userId);
    if (existing || isClosed) return existing;
    if (users.size >= maxUsers) {
      const [idle] = [...users].find(([, { open }]) => open === 0) ?? [];
      if (idle === undefined) return undefined;
      end(idle);
    }
    const open = async () => hostEndpoint({ ...options, ...(await partsOf(userId)) }, { hostnames }, userId);
    const made: Kept = { endpoint: open(), open: 0 };
    users.set(userId, made);
    // The next request of the user asks again.
    made.endpoint.catch(() => users.get(userId) === made && users.delete(userId));
    return made;
  }

  function end(userId: string): void {
    const kept = users.get(userId);
    if (!kept) return;
    clearTimeout(kept.idle);
    users.delete(userId);
    const closed = kept.endpoint.then(
      (endpoint) => endpoint.close(),
      // Its request was told why it could not be opened.
      () => undefined,
    );
    const ended = closed.catch((error: unknown) => options.onDiagnostic?.(notClosed(error)));
    ending.add(ended);
    void ended.finally(() => ending.delete(ended));
  }

  function release(userId: string, kept: Kept): void {
    kept.open -= 1;
    if (kept.open > 0 || users.get(userId) !== kept) return;
    users.delete(userId);
    users.set(userId, kept);
    kept.idle = setTimeout(() => end(userId), idleMs).unref();
  }

  return {
    fetch: async (userId, request) => {
      const kept = keptOf(userId);
      if (!kept) return undefined;
      clearTimeout(kept.idle);
      kept.open += 1;
      const done = () => release(userId, kept);
      try {
        return whenRead(await (await kept.endpoint).fetch(request), done);
      } catch (error) {
        done();
        throw error;
      }
    },
    close: async () => {
      isClosed = true;
      for (const userId of users.keys()) end(userId);
      await Promise.all(ending);
    },
  };
}

function notClosed(error: unknown): Diagnostic {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    code: "mcp.user-not-closed",
    severity: "warning",
    message: `What a user left open could not be closed: ${reason.slice(0, 500)}`,
    hint: "Their workspace may stay until it is swept. Check the runtime and the catalogue of the user's skills.",
  };
}
