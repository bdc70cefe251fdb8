import { SkillError } from "@skillwright/core";
import { shownAddress } from "./shown-address.js";

/** Which URLs may be requested, as far as the URL itself tells. The connection checks the host's real addresses. */
export interface AddressRules {
  readonly own: string;
  /**
   * True for origins that may have a private address: those that the caller named. Redirects and index entries never
   * qualify.
   */
  mayBePrivate(origin: string): boolean;
  /** Called before each request, including redirects and entries. @throws SkillError `REFUSED`. */
  check(url: URL): void;
}

export function addressRules({
  own,
  allowHttp,
  allowPrivate,
  allowOrigins,
  remedy = "Set allowHttp: true to allow http.",
}: {
  readonly own: string;
  readonly allowHttp: boolean;
  readonly allowPrivate: boolean;
  readonly allowOrigins: readonly string[] | undefined;
  readonly remedy?: string | undefined;
}): AddressRules {
  const named = new Set([own, ...(allowOrigins ?? []).map(originOf)]);

  function check(url: URL): void {
    if (url.protocol !== "https:" && !(url.protocol === "http:" && allowHttp))
      throw refused(url, "is not https", allowHttp ? "Use an https address." : remedy);
    if (url.username !== "" || url.password !== "")
      throw refused(
        url,
        "contains its own credentials",
        "Give credentials in the repository's url or headers.",
      );
    if (allowOrigins && !named.has(url.origin))
      throw refused(url, "has an origin that is not allowed", "Add it to allowOrigins if it is trusted.");
  }

  return { own, mayBePrivate: (origin) => allowPrivate && named.has(origin), check };
}

function originOf(text: string): string {
  if (URL.canParse(text) && /^https?:\/\/[^/?#@]+\/?$/.test(text)) return new URL(text).origin;
  const message = `allowOrigins has ${JSON.stringify(text.slice(0, 100))}, which is not an origin such as "https://example.com".`;
  throw new SkillError("CONFIG_INVALID", message);
}

function refused(url: URL, why: string, remedy: string): SkillError {
  return new SkillError("REFUSED", `The address ${shownAddress(url)} ${why}. ${remedy}`);
}
