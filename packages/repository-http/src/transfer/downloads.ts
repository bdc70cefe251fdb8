import { SkillError } from "@skillwright/core";
import { checkAborted, untilAborted } from "@skillwright/core/adapter";
import { Agent, type Dispatcher } from "undici";
import { checkedConnector } from "../address/checked-connector.js";
import { shownAddress } from "../address/shown-address.js";
import type { HttpSettings } from "../http-settings.js";
import { type Deadline, deadline } from "./deadline.js";
import { type Download, type DownloadOptions, discard, receivedBytes, takenAnswer } from "./taken-answer.js";
import { conditions, headerOf } from "./validators.js";

/** Fetches files under the rules of the repository. */
export interface Downloads {
  /**
   * @throws SkillError `REFUSED` for a URL that is not allowed; `LIMIT_EXCEEDED`; `ABORTED`; `BACKEND_FAILED` for
   * everything else, with `details.status` where the server answered.
   */
  get(url: URL, options: DownloadOptions): Promise<Download | "unchanged">;
  /**
   * Sends one request and takes its answer, whatever its status. A redirect is not followed.
   * @throws SkillError as `get`, but not for a status.
   */
  send(url: URL, message: Message): Promise<Answer>;
  close(): Promise<void>;
}

/** A request that may change something. */
interface Message {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly body?: Uint8Array | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Maximum bytes of the answer. */
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
}

export interface Answer {
  readonly status: number;
  readonly bytes: Uint8Array;
  header(name: string): string | undefined;
}

const MAX_REDIRECTS = 5;
const MAX_CONNECT_MS = 10_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export function downloads(settings: HttpSettings): Downloads {
  const { addresses, headers, timeoutMs, silenceMs, resolve, certificateAuthorities, remedy } = settings;
  const agent = new Agent({
    connect: checkedConnector({
      mayBePrivate: addresses.mayBePrivate,
      resolve,
      certificateAuthorities,
      remedy,
      timeoutMs: Math.min(MAX_CONNECT_MS, timeoutMs),
    }),
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  });
  let isClosed = false;

  const get: Downloads["get"] = (url, options) =>
    inTime(url, options.signal, (signal) => follow(url, { ...options, signal }));

  const send: Downloads["send"] = (url, message) =>
    inTime(url, message.signal, (signal) => exchange(url, { ...message, signal }));

  async function inTime<T>(
    url: URL,
    outer: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    checkAborted(outer);
    if (isClosed) throw closed();
    const time = deadline(timeoutMs, outer);
    try {
      return await untilAborted(work(time.signal), time.signal);
    } catch (error) {
      checkAborted(outer);
      throw failure(error, url, time);
    } finally {
      time.end();
    }
  }

  async function exchange(
    at: URL,
    { method, body, headers: own = {}, limit, signal }: Message,
  ): Promise<Answer> {
    addresses.check(at);
    const answer = await agent.request({
      origin: at.origin,
      path: at.pathname + at.search,
      method,
      body: body ?? null,
      headers: { "user-agent": "skillwright", ...revealed(), ...own, "accept-encoding": "identity" },
      signal: signal ?? null,
    });
    const { statusCode: status, headers: told } = answer;
    const bytes = await receivedBytes(answer, at, { limit, signal });
    return { status, bytes, header: (name) => headerOf(told, name) };
  }

  async function follow(first: URL, options: DownloadOptions): Promise<Download | "unchanged"> {
    const seen = new Set<string>();
    let isOwn = true;
    for (let at = first; ; ) {
      addresses.check(at);
      if (seen.has(at.href)) throw redirectFailure(first, "leads in a circle");
      if (seen.size > MAX_REDIRECTS)
        throw redirectFailure(first, `redirects more than ${MAX_REDIRECTS} times`);
      seen.add(at.href);
      // After leaving it, a redirect back to the own origin is not trusted.
      isOwn &&= at.origin === addresses.own;
      const answer = await agent.request({
        origin: at.origin,
        path: at.pathname + at.search,
        method: "GET",
        headers: {
          // Some servers refuse requests without a user agent.
          "user-agent": "skillwright",
          accept: "*/*",
          ...(isOwn && revealed()),
          ...conditions(options.known, at),
          "accept-encoding": "identity",
        },
        signal: options.signal ?? null,
      });
      const next = redirection(answer, at);
      if (!next) return await takenAnswer(answer, at, options);
      discard(answer);
      at = next;
    }
  }

  function revealed(): Record<string, string> {
    return Object.fromEntries([...headers].map(([name, value]) => [name, value.reveal()]));
  }

  function failure(error: unknown, url: URL, time: Deadline): SkillError {
    const shown = shownAddress(url);
    if (isClosed) return closed();
    if (time.hasPassed()) {
      const message = `${shown} was not received within ${timeoutMs} ms. Try again, or raise timeoutMs.`;
      return new SkillError("BACKEND_FAILED", message, { details: { timeoutMs } });
    }
    if (SkillError.is(error)) return error;
    const reason = error instanceof Error && error.message ? error.message : "no reason was given";
    const { code } = error as { code?: unknown };
    const message = `Fetching ${shown} failed: ${reason}. Check the address and the connection.`;
    return new SkillError("BACKEND_FAILED", message, { details: typeof code === "string" ? { code } : {} });
  }

  return {
    get,
    send,
    async close() {
      isClosed = true;
      await agent.destroy();
    },
  };
}

function closed(): SkillError {
  return new SkillError("CLOSED", "The http repository is closed. Create a new one.");
}

function redirection({ statusCode, headers }: Dispatcher.ResponseData, at: URL): URL | undefined {
  const location = headerOf(headers, "location");
  if (!REDIRECTS.has(statusCode) || location === undefined) return undefined;
  if (!URL.canParse(location, at.href)) throw redirectFailure(at, "redirects to an invalid address");
  const next = new URL(location, at);
  next.hash = "";
  return next;
}

function redirectFailure(at: URL, what: string): SkillError {
  const message = `${shownAddress(at)} ${what}. Give the final address.`;
  return new SkillError("BACKEND_FAILED", message);
}
