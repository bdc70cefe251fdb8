import { Agent, fetch as undiciFetch } from "undici";
import { checkedConnector } from "../address/checked-connector.js";
import type { HttpRepositoryOptions } from "../http-repository-options.js";
import { httpSettings } from "../http-settings.js";

export type CheckedFetchOptions = Pick<
  HttpRepositoryOptions,
  "url" | "allowHttp" | "allowPrivate" | "remedy" | "certificateAuthorities" | "silenceMs" | "resolve"
>;

const MAX_CONNECT_MS = 10_000;

/**
 * A `fetch` for a server at `url` that contacts only addresses that `httpRepository` would: each request is checked, and goes to the
 * addresses that were checked. Requests for other origins are allowed where these have public addresses. It adds no header.
 * @throws SkillError `CONFIG_INVALID`, at once, for invalid options. The returned function rejects with `REFUSED`, which can be
 * the cause of what `fetch` throws.
 */
export function checkedFetch(options: CheckedFetchOptions): typeof globalThis.fetch {
  const { addresses, certificateAuthorities, remedy, resolve, silenceMs } = httpSettings(options);
  const agent = new Agent({
    connect: checkedConnector({
      mayBePrivate: addresses.mayBePrivate,
      ...{ resolve, certificateAuthorities, remedy, timeoutMs: MAX_CONNECT_MS },
    }),
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  });
  return (async (input: string | URL, init?: RequestInit) => {
    addresses.check(new URL(input));
    // Another version of the same implementation as Node's, with other declarations.
    return await undiciFetch(input, { ...(init as object), dispatcher: agent });
  }) as typeof globalThis.fetch;
}
