import { randomBytes } from "node:crypto";

/** An address that signs in whoever opens it first. */
export interface OneTimeSignIn {
  /** Relative to the page, such as `sign-in/Wj3…`. */
  readonly path: string;
  /** Answers requests for this path: 302 to the page with the token, once; 410 afterwards. `undefined` for other requests. */
  answer(request: Request): Response | undefined;
}

/**
 * Makes an address that a program gives to a browser. Other users of the machine can read a browser's arguments, so the address does not
 * contain the token: it signs in the first request within the time, by default a minute, and is worth nothing afterwards.
 */
export function oneTimeSignIn(
  token: string,
  { forMs = 60_000, now = () => performance.now() }: { forMs?: number; now?: () => number } = {},
): OneTimeSignIn {
  const path = `sign-in/${randomBytes(24).toString("base64url")}`;
  const untilMs = now() + forMs;
  let isUsed = false;
  return {
    path,
    answer: (request) => {
      if (request.method !== "GET" || !new URL(request.url).pathname.endsWith(`/${path}`)) return undefined;
      const headers = { "cache-control": "no-store", "referrer-policy": "no-referrer" };
      if (isUsed || now() > untilMs) return new Response(USED, { status: 410, headers });
      isUsed = true;
      const location = `../#token=${encodeURIComponent(token)}`;
      return new Response(null, { status: 302, headers: { ...headers, location } });
    },
  };
}

const USED =
  "This address has been opened already, or is too old. Open the address with the token that the server has printed.\n";
