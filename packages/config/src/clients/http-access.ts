import { Secret, SkillError } from "@skillwright/core";
import type { Environment } from "./s3-client.js";

/** What the user permits for one address, as options of `httpRepository`. */
export interface HttpAccess {
  readonly allowHttp: boolean;
  readonly allowPrivate: boolean;
  /** The remedy in the message about an address that is not permitted. */
  readonly remedy: string;
  readonly headers?: { readonly authorization: Secret };
}

/**
 * Reads what the environment permits for the origin of a URL:
 *
 * - `SKILLWRIGHT_PRIVATE_ORIGINS`: origins, separated by blanks, that may have a private address, such as those of an
 *   intranet; one with `http://` may also be unencrypted;
 * - `SKILLWRIGHT_TOKENS`: `origin=token`, separated by blanks: the bearer token that is sent to this origin and no other.
 *
 * @throws SkillError `CONFIG_INVALID` for an entry without a valid origin; the message contains no token.
 */
export function httpAccess(env: Environment, url: string): HttpAccess {
  const origins = words(env[ORIGINS]).map((word) => originOf(word, ORIGINS));
  const tokens = words(env[TOKENS]).map((word): [string, string] => {
    const at = word.indexOf("=");
    return [originOf(at === -1 ? "" : word.slice(0, at), TOKENS), word.slice(at + 1)];
  });
  const own = URL.canParse(url) ? new URL(url).origin : undefined;
  const isNamed = own !== undefined && origins.includes(own);
  const token = tokens.find(([origin]) => origin === own)?.[1];
  return {
    allowHttp: isNamed && own.startsWith("http:"),
    allowPrivate: isNamed,
    remedy: `Only an address that you give may be private or unencrypted, if its origin (${own}) is in the variable ${ORIGINS}.`,
    ...(token && { headers: { authorization: new Secret(`Bearer ${token}`) } }),
  };
}

const ORIGINS = "SKILLWRIGHT_PRIVATE_ORIGINS";
const TOKENS = "SKILLWRIGHT_TOKENS";

function words(text = ""): readonly string[] {
  return text.split(/\s+/).filter(Boolean);
}

function originOf(text: string, variable: string): string {
  if (URL.canParse(text) && /^https?:\/\/[^/?#@]+\/?$/i.test(text)) return new URL(text).origin;
  const form = variable === TOKENS ? "https://skills.example.com=TOKEN" : "https://skills.example.com";
  throw new SkillError("CONFIG_INVALID", `${variable} has an entry without an origin. Give ${form}.`);
}
