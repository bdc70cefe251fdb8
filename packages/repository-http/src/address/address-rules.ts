import { SkillError } from "@skillwright/core";
import { shownAddress } from "./shown-address.js";

/** Where a request may go, as far as the address itself tells. The connection checks where the host really is. */
export interface AddressRules {
  readonly own: string;
  /** True for origins that may be at a private address: those the caller named. A stranger's word leads to none. */
  mayBePrivate(origin: string): boolean;
  /** Asked before each request, of redirects and entries too. @throws SkillError `REFUSED`. */
  check(url: URL): void;
}

export function addressRules({
  own,
  allowHttp,
  allowPrivate,
  allowOrigins,
}: {
  readonly own: string;
  readonly allowHttp: boolean;
  readonly allowPrivate: boolean;
  readonly allowOrigins: readonly string[] | undefined;
}): AddressRules {
  const named = new Set([own, ...(allowOrigins ?? []).map(originOf)]);

  function check(url: URL): void {
    if (url.protocol !== "https:" && !(url.protocol === "http:" && allowHttp))
      throw refused(
        url,
        "is not https",
        allowHttp ? "Only web addresses are followed." : "allowHttp: true lets http pass.",
      );
    if (url.username !== "" || url.password !== "")
      throw refused(
        url,
        "brings credentials of its own",
        "Credentials belong into the repository's url or headers.",
      );
    if (allowOrigins && !named.has(url.origin))
      throw refused(url, "is of an origin that is not allowed", "Add it to allowOrigins if it is trusted.");
  }

  return { own, mayBePrivate: (origin) => allowPrivate && named.has(origin), check };
}

function originOf(text: string): string {
  if (URL.canParse(text) && /^https?:\/\/[^/?#@]+\/?$/.test(text)) return new URL(text).origin;
  const message = `allowOrigins has ${JSON.stringify(text.slice(0, 100))}, which is no origin such as "https://example.com".`;
  throw new SkillError("CONFIG_INVALID", message);
}

function refused(url: URL, why: string, remedy: string): SkillError {
  return new SkillError("REFUSED", `The address ${shownAddress(url)} ${why}. ${remedy}`);
}
