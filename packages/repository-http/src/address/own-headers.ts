import { Secret, SkillError } from "@skillwright/core";

/** Headers that control the transfer itself. */
const RESERVED = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "host",
  "if-modified-since",
  "if-none-match",
  "keep-alive",
  "range",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The headers by lower-case name. @throws SkillError `CONFIG_INVALID`; the message contains no value. */
export function ownHeaders(
  given: Readonly<Record<string, string | Secret>>,
  authorization: Secret | undefined,
): ReadonlyMap<string, Secret> {
  const headers = new Map<string, Secret>();
  if (authorization) headers.set("authorization", authorization);
  for (const [written, value] of Object.entries(given)) {
    const name = written.toLowerCase();
    const secret = typeof value === "string" ? new Secret(value) : value;
    if (!NAME.test(name) || !VALUE.test(secret.reveal())) throw refused(written, "is not valid in HTTP");
    if (RESERVED.has(name)) throw refused(written, "is set by the HTTP client and cannot be given");
    if (headers.has(name))
      throw refused(written, "is given twice (an address with credentials has an authorization)");
    headers.set(name, secret);
  }
  return headers;
}

function refused(name: string, why: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `The header ${JSON.stringify(name.slice(0, 100))} ${why}. Leave it out.`,
  );
}
