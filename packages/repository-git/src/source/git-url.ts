import { isAbsolute, posix } from "node:path";
import { SkillError } from "@skillwright/core";
import { maskedUrls } from "../process/masked-text.js";

/** A location from which git may fetch, with its secrets separated. */
export interface GitAddress {
  /** The URL passed to git. Contains no password. */
  readonly url: string;
  /** For messages and labels: without any credentials. */
  readonly shown: string;
  /** The last part of the path without `.git`: the default name of a clone. */
  readonly name: string;
  /** Present for an https URL with a password. */
  readonly credentials: GitCredentials | undefined;
}

export interface GitCredentials {
  /** For example `https://example.com:8443`; the credentials are sent to no other origin. */
  readonly origin: string;
  readonly username: string;
  readonly password: string;
}

export interface AllowedAddresses {
  readonly allowHttp: boolean;
  readonly allowLocal: boolean;
}

const MAX_LENGTH = 2048;
const HOST = /^(?:[A-Za-z0-9_][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\])$/;
const SSH_USER = /^[A-Za-z0-9_][A-Za-z0-9._+-]*$/;
const SCP_LIKE = /^(?:([^@:/]+)@)?([^@:/[]{2,}|\[[0-9A-Fa-f:.]+\]):([^-].*)$/;

/**
 * Parses an allowed URL: `https://`, `ssh://`, `user@host:path`, and where enabled `http://`, `file://` and absolute
 * paths. Other forms that git accepts, such as `ext::`, run programs.
 *
 * @throws SkillError `CONFIG_INVALID`; the message contains no credentials.
 */
export function gitAddress(url: string, allowed: AllowedAddresses): GitAddress {
  if (url === "" || url.length > MAX_LENGTH)
    throw refused(url, `is empty or longer than ${MAX_LENGTH} characters`);
  if (url.startsWith("-")) throw refused(url, "starts with a dash, so git would read it as an option");
  if (/[\p{Cc}\\]|%0[ad]|%00/iu.test(url)) throw refused(url, "has a backslash or a control character");
  if (/^[A-Za-z0-9+.-]*::/.test(url)) throw refused(url, "names a program as its transport");
  const scheme = /^([^:/]*):\/\//.exec(url)?.[1];
  const isLocal = scheme === "file" || (scheme === undefined && isAbsolute(url));
  // Local folder names may contain blanks.
  if ((isLocal ? /[\u2028\u2029]/ : /\p{Z}/u).test(url)) throw refused(url, "has white space");
  if (scheme === undefined) return isLocal ? localAddress(url, url, allowed) : scpAddress(url);
  if (scheme === "https") return webAddress(url);
  if (scheme === "ssh") return sshAddress(url);
  if (scheme === "file") return localAddress(url, decoded(url, parsed(url).pathname), allowed);
  if (scheme !== "http") throw refused(url, `has the scheme "${scheme}", which is not allowed`);
  if (!allowed.allowHttp) throw refused(url, "is not encrypted; set allowHttp: true to allow it");
  return webAddress(url);
}

function webAddress(url: string): GitAddress {
  const { protocol, host, hostname, pathname, search, hash } = parsed(url);
  if (!HOST.test(hostname)) throw refused(url, "has no usable host");
  if (search || hash)
    throw refused(url, "has a query or a fragment; give a branch as ref and a password before the host");
  const rest = url.slice(protocol.length + 2);
  const user = rest.slice(0, rest.lastIndexOf("@", authorityEnd(rest)) + 1).slice(0, -1);
  const [, username = user, password] = /^([^:]*):(.*)$/s.exec(user) ?? [];
  const clean = `${protocol}//${host}${pathname}`;
  const named = { shown: clean, name: nameOf(pathname) };
  if (password === undefined)
    return {
      ...named,
      url: user ? `${protocol}//${user}@${host}${pathname}` : clean,
      credentials: undefined,
    };
  const credentials = { username: decoded(url, username), password: decoded(url, password) };
  return { ...named, url: clean, credentials: { ...credentials, origin: `${protocol}//${host}` } };
}

function sshAddress(url: string): GitAddress {
  const [, user, host = "", port = "", path = ""] =
    /^ssh:\/\/(?:([^@/]*)@)?([^@:/[]+|\[[^\]/@]*\])(:\d+)?(\/.+)$/.exec(url) ?? [];
  checkSsh(url, user, host);
  return { url, shown: `ssh://${host}${port}${path}`, name: nameOf(path), credentials: undefined };
}

function scpAddress(url: string): GitAddress {
  const [, user, host = "", path = ""] = SCP_LIKE.exec(url) ?? [];
  checkSsh(url, user, host);
  return { url, shown: `${host}:${path}`, name: nameOf(path), credentials: undefined };
}

function checkSsh(url: string, user: string | undefined, host: string): void {
  if (!HOST.test(host)) throw refused(url, "is not a valid address");
  if (user === undefined || SSH_USER.test(user)) return;
  throw refused(url, "has a user name that ssh does not accept; do not give a password, use a key");
}

function localAddress(url: string, path: string, { allowLocal }: AllowedAddresses): GitAddress {
  if (!allowLocal) throw refused(url, "is on this machine; set allowLocal: true to allow it");
  if (url !== path && parsed(url).hostname !== "")
    throw refused(url, "has a host, which a file address cannot have");
  return { url, shown: url, name: nameOf(path.split("\\").join("/")), credentials: undefined };
}

function parsed(url: string): URL {
  if (URL.canParse(url)) return new URL(url);
  throw refused(url, "cannot be read");
}

function authorityEnd(rest: string): number {
  const end = rest.indexOf("/");
  return end === -1 ? rest.length : end;
}

function decoded(url: string, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refused(url, "has a lone percent sign; write it as %25");
  }
}

function nameOf(path: string): string {
  return posix.basename(path.replace(/\/+(?:\.git\/*)?$/, "")).replace(/\.git$/, "") || "repository";
}

function refused(url: string, why: string): SkillError {
  const shown = JSON.stringify(maskedUrls(url).slice(0, 200));
  const remedy = "Give https://host/path, ssh://user@host/path or user@host:path.";
  return new SkillError("CONFIG_INVALID", `The git url ${shown} ${why}. ${remedy}`);
}
