import { randomBytes } from "node:crypto";

/** An address that signs in the first one who opens it. */
export interface OneTimeSignIn {
  /** Relative to the page, such as `sign-in/Wj3…`. */
  readonly path: string;
  /** Answers the first request for this path with a redirect to the page that signs in (302), and later ones with 410. Returns `undefined` for other paths. */
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
