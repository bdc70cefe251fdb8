import { createHash, timingSafeEqual } from "node:crypto";
import { SkillError } from "@skillwright/core";
import type { Authenticate } from "../server-options.js";
import { userOf } from "./user-of.js";

export interface ProxyUsersOptions {
  /** The header in which the proxy names the user. Defaults to `x-forwarded-user`. */
  readonly header?: string | undefined;
  /** The header in which the proxy shows that it is the proxy. Defaults to `x-proxy-secret`. */
  readonly secretHeader?: string | undefined;
  /** At least 16 characters, known to proxy and server only. */
  readonly secret: string;
}

/**
 * Users that a proxy in front of the server has authenticated, for `authenticate`. Only requests with the secret count,
 * since a request does not tell who sent it. The proxy must replace both headers in what it passes on; a user's name with a
 * comma is refused, because a header that was sent twice arrives with one.
 * @throws SkillError `CONFIG_INVALID` for a shorter secret.
 */
export function proxyUsers({
  header = "x-forwarded-user",
  secretHeader = "x-proxy-secret",
  secret,
}: ProxyUsersOptions): Authenticate {
  // The secret often comes from a variable of the environment, which may not be set.
  if (typeof secret !== "string" || secret.length < MIN_SECRET) throw tooShort();
  const expected = hash(secret);
  return ({ headers }) => {
    if (!timingSafeEqual(hash(headers.get(secretHeader) ?? ""), expected)) return undefined;
    const user = userOf(headers.get(header));
    return user?.id.includes(",") ? undefined : user;
  };
}

const MIN_SECRET = 16;

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function tooShort(): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `secret: is missing or has fewer than ${MIN_SECRET} characters, so that it could be guessed. Give a random one, such as of \`openssl rand -hex 32\`.`,
    { details: { fields: [{ path: "secret" }] } },
  );
}
