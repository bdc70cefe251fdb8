import { Secret, SKILL_LIMITS, SkillError } from "@skillwright/core";
import { skillRules } from "@skillwright/core/adapter";
import { type AddressRules, addressRules } from "./address/address-rules.js";
import { ownHeaders } from "./address/own-headers.js";
import { shownAddress } from "./address/shown-address.js";
import type { ArchiveOpener } from "./archive-opener.js";
import type { HttpLimits, HttpRepositoryOptions, ResolveHost } from "./http-repository-options.js";
import { isDigest } from "./payload/byte-digest.js";

/** The validated options with defaults applied. */
export interface HttpSettings {
  /** Without credentials and fragment. */
  readonly url: URL;
  /** For messages: without credentials and query. */
  readonly shown: string;
  /** Sent only to the URL's own origin. */
  readonly headers: ReadonlyMap<string, Secret>;
  readonly openArchive: ArchiveOpener | undefined;
  readonly digest: string | undefined;
  readonly addresses: AddressRules;
  readonly certificateAuthorities: readonly string[] | undefined;
  readonly timeoutMs: number;
  readonly silenceMs: number;
  readonly limits: HttpLimits;
  readonly leaveOut: ReadonlySet<string>;
  readonly resolve: ResolveHost | undefined;
  readonly remedy: string | undefined;
}

const MEBIBYTE = 1024 * 1024;
const MAX_DOWNLOAD_BYTES = 256 * MEBIBYTE;
const DEFAULT_LIMITS: HttpLimits = {
  ...SKILL_LIMITS,
  archiveBytes: 32 * MEBIBYTE,
  treeFiles: 4096,
  treeBytes: 64 * MEBIBYTE,
  indexBytes: 4 * MEBIBYTE,
  entries: 2000,
  keptBytes: 64 * MEBIBYTE,
};

/** @throws SkillError `CONFIG_INVALID`; no message contains credentials or a query. */
export function httpSettings(options: HttpRepositoryOptions): HttpSettings {
  const { allowHttp = false, allowPrivate = false, allowOrigins, certificateAuthorities } = options;
  const { url, authorization } = addressOf(options.url, allowHttp, options.remedy);
  const addresses = addressRules({
    own: url.origin,
    allowHttp,
    allowPrivate,
    allowOrigins,
    remedy: options.remedy,
  });
  if (options.digest !== undefined && !isDigest(options.digest))
    throw unfit("The digest", 'is not "sha256:" and 64 hexadecimal digits in lower case');
  return {
    url,
    shown: shownAddress(url),
    headers: ownHeaders(options.headers ?? {}, authorization),
    openArchive: options.openArchive,
    digest: options.digest,
    addresses,
    certificateAuthorities:
      typeof certificateAuthorities === "string" ? [certificateAuthorities] : certificateAuthorities,
    timeoutMs: counted("timeoutMs", options.timeoutMs ?? 120_000, 2 ** 31 - 1),
    silenceMs: counted("silenceMs", options.silenceMs ?? 30_000, 2 ** 31 - 1),
    limits: limitsOf(options.limits ?? {}),
    leaveOut: skillRules({ leaveOut: options.leaveOut }).leaveOut,
    resolve: options.resolve,
    remedy: options.remedy,
  };
}

function addressOf(
  text: string,
  allowHttp: boolean,
  remedy: string = "Set allowHttp: true to allow it.",
): { url: URL; authorization: Secret | undefined } {
  if (!URL.canParse(text)) throw unfit("The url", "cannot be read; give https://host/path");
  const url = new URL(text);
  const { username, password } = url;
  [url.username, url.password, url.hash] = ["", "", ""];
  if (url.protocol === "http:" && !allowHttp)
    throw unfit(`The url ${shownAddress(url)}`, "is not encrypted", remedy);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw unfit("The url", `has the scheme "${url.protocol.slice(0, 20)}"; give https://host/path`);
  if (username === "" && password === "") return { url, authorization: undefined };
  return { url, authorization: basicAuthorization(username, password) };
}

function basicAuthorization(username: string, password: string): Secret {
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return new Secret(`Basic ${Buffer.from(pair).toString("base64")}`);
  } catch {
    throw unfit("The url", "has credentials with a lone percent sign; write it as %25");
  }
}

function limitsOf(given: Partial<HttpLimits>): HttpLimits {
  const limits = { ...DEFAULT_LIMITS, ...given };
  for (const [name, value] of Object.entries(limits))
    counted(`limits.${name}`, value, name.endsWith("ytes") ? MAX_DOWNLOAD_BYTES : 2 ** 31 - 1);
  return limits;
}

function counted(name: string, value: number, most: number): number {
  if (Number.isInteger(value) && value > 0 && value <= most) return value;
  throw unfit(`${name}`, `is ${value}; give a whole number from 1 to ${most}`);
}

function unfit(what: string, why: string, remedy = ""): SkillError {
  return new SkillError("CONFIG_INVALID", `${what} of the http repository ${why}. ${remedy}`.trim());
}
