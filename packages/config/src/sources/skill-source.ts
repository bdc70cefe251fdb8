import { hash } from "node:crypto";
import { SkillError } from "@skillwright/core";

/** A source of skills, parsed from one line of text. */
export type SkillSource =
  /** `path` as given, relative to the location of the text. */
  | { readonly kind: "folder"; readonly path: string }
  /** A file with one or several skills; `path` as given. */
  | { readonly kind: "archive"; readonly path: string }
  /** `prefix` without leading and trailing slashes; empty for the whole bucket. */
  | { readonly kind: "s3"; readonly bucket: string; readonly prefix: string }
  | {
      readonly kind: "git";
      readonly url: string;
      readonly ref?: string;
      readonly path?: string;
    }
  | { readonly kind: "http"; readonly url: string }
  /** An MCP server that is started: the program and its arguments, as given. */
  | { readonly kind: "mcp"; readonly command: readonly string[] }
  /** An MCP server at an address. */
  | { readonly kind: "mcp"; readonly url: string }
  /** A registry, read with its versions and labels. */
  | { readonly kind: "registry"; readonly url: string }
  /** A database in a file; `path` as given. `name` is that of one repository in it. */
  | { readonly kind: "sqlite"; readonly path: string; readonly name?: string }
  /** A database on a server; `url` may contain a password. */
  | { readonly kind: "postgres"; readonly url: string; readonly name?: string };

const POSTGRES = /^postgres(ql)?:\/\//i;
const ARCHIVE = /\.(skill|zip|tar\.gz|tgz)$/i;
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/**
 * Parses a source of skills:
 *
 * - `s3://bucket/prefix`, and `oss://bucket/prefix` for the same by another vendor;
 * - `git+https://host/path#ref:folder`, `git+ssh://…`, `git+file:///…`, `https://host/path.git#ref`,
 *   `git@host:path#ref`: ref and folder are both optional (`#:folder`);
 * - any other `https://` or `http://` URL: an archive of one or several skills, a SKILL.md or a well-known index;
 * - `registry+https://host/path/`: a registry, whose versions can be named and locked;
 * - `mcp+stdio:program argument …`: an MCP server that is started. Words are separated by spaces, and no shell reads them; a space
 *   in a word is `%20`, a `%` is `%25`. A word that begins with `./` or `../` is a path;
 * - `mcp+https://host/path`: an MCP server at an address, `mcp+http://` for one on this machine;
 * - `sqlite:path/skills.sqlite#name`, `postgres://user@host/database#name`: a SQL database and the name of one repository
 *   in it, which is optional; a name has letters, digits, `.`, `_` and `-`;
 * - a path that ends in `.skill`, `.zip`, `.tar.gz` or `.tgz`: an archive of one or several skills;
 * - everything else is the path of a folder.
 *
 * @throws SkillError `CONFIG_INVALID` for an empty text, an invalid bucket name or database address, another scheme.
 */
export function skillSource(text: string): SkillSource {
  const given = text.trim();
  if (given === "") throw invalid(text, "is empty");
  if (/^(s3|oss):\/\//i.test(given)) return bucketSource(given);
  if (isGit(given)) return gitSource(given);
  if (/^mcp\+stdio:/i.test(given)) return { kind: "mcp", command: commandWords(given) };
  if (/^mcp\+https?:\/\//i.test(given)) return { kind: "mcp", url: given.slice("mcp+".length) };
  if (/^registry\+https?:\/\//i.test(given))
    return { kind: "registry", url: given.slice("registry+".length) };
  if (/^https?:\/\//i.test(given)) return { kind: "http", url: given };
  if (/^sqlite:/i.test(given) || POSTGRES.test(given)) return databaseSource(given);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) throw invalid(text, "has an unknown scheme");
  return { kind: ARCHIVE.test(given) ? "archive" : "folder", path: given };
}

/**
 * Parses the address of a store, which is written as a source of skills is.
 * @param what What the store keeps, such as `Records`, for the error. @param remedy Which addresses are valid, for the error.
 * @throws SkillError `CONFIG_INVALID` for a text that `skillSource` refuses.
 */
export function storePlace(text: string, what: string, remedy: string): SkillSource {
  try {
    return skillSource(text);
  } catch (error) {
    if (!SkillError.is(error)) throw error;
    throw noStore(text, what, remedy, `: it ${error.details["problem"]}`);
  }
}

/** Returns the error for an address at which no such store can be. */
export function noStore(text: string, what: string, remedy: string, because = ""): SkillError {
  return new SkillError("CONFIG_INVALID", `${what} cannot be kept at ${shown(text)}${because}. ${remedy}`);
}

/** True for the text of an MCP server, whose skills are untrusted unless the configuration says otherwise. */
export function isMcpServer(text: string): boolean {
  return /^\s*mcp\+(?:stdio:|https?:\/\/)/i.test(text);
}

function bucketSource(given: string): SkillSource {
  const [bucket = "", ...rest] = given.replace(/^[a-z0-9]+:\/\//i, "").split("/");
  if (!BUCKET.test(bucket))
    throw invalid(given, "has no valid bucket name (3 to 63 lower-case letters, digits, - and .)");
  return { kind: "s3", bucket, prefix: rest.filter((part) => part !== "").join("/") };
}

function isGit(given: string): boolean {
  const [address = ""] = given.split("#");
  return (
    /^git\+/i.test(given) ||
    /^ssh:\/\//i.test(given) ||
    /^[\w.-]+@[\w.-]+:(?!\/\/)/.test(given) ||
    /^https?:\/\/.*\.git$/i.test(address)
  );
}

function gitSource(given: string): SkillSource {
  const at = given.indexOf("#");
  const url = (at < 0 ? given : given.slice(0, at)).replace(/^git\+/i, "");
  const [ref = "", ...folder] = at < 0 ? [] : given.slice(at + 1).split(":");
  const path = folder.join(":");
  return { kind: "git", url, ...(ref !== "" && { ref }), ...(path !== "" && { path }) };
}

function commandWords(given: string): readonly string[] {
  const words = given
    .slice("mcp+stdio:".length)
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) throw invalid(given, "has no program after mcp+stdio:");
  try {
    return words.map(decodeURIComponent);
  } catch {
    throw invalid(given, "has a % that begins no escape; write it as %25");
  }
}

function databaseSource(given: string): SkillSource {
  const [, address = "", name] = /^(.*?)(?:#([\w.-]+))?$/s.exec(given) ?? [];
  const named = name === undefined ? {} : { name };
  if (!POSTGRES.test(address)) {
    const path = address.slice("sqlite:".length);
    if (path === "" || path.startsWith("//")) throw invalid(given, "has no path after sqlite:");
    return { kind: "sqlite", path, ...named };
  }
  // What follows an unencoded "/", "?" or "#" in a password would be taken for the database or the host.
  if (!URL.canParse(address) || /[@#]/.test(address.replace(/^[^/]*\/\/[^/?#]*/, "")))
    throw invalid(given, "is no valid address; write special characters of a password as %XX");
  return { kind: "postgres", url: address, ...named };
}

function invalid(text: string, problem: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `The source of skills ${shown(text)} ${problem}. ` +
      "Give a folder, s3://bucket/prefix, git+https://host/path#ref:folder, an https address, registry+https://host/, mcp+stdio:program, mcp+https://host/path, sqlite:path, postgres://host/database or an archive such as one.skill.",
    { details: { problem } },
  );
}

const shown = (text: string): string => JSON.stringify(withoutCredentials(text).slice(0, 120));

/**
 * The text as it may be shown: the part before an `@` of a URL, and its query, are removed. Of a command only the program is
 * shown, with a mark that tells apart commands with other arguments.
 */
export function withoutCredentials(text: string): string {
  const [, scheme, program, rest] = /^\s*(mcp\+stdio:)\s*(\S+)(.*)$/is.exec(text) ?? [];
  if (scheme !== undefined)
    return `${scheme}${program}${rest?.trim() ? ` #${hash("sha256", rest, "hex").slice(0, 8)}` : ""}`;
  // A path of a file contains no credentials, even if it contains `@` or `?`.
  if (!/^\s*[a-z][a-z0-9+.-]*:|^\s*[^/\s]+@/i.test(text)) return text;
  const user = /^(postgres|redis)/i.test(text) ? /(:\/\/).*@/s : /(:\/\/)[^/@\s]*@/;
  return text.replace(user, "$1").replace(/\?[^#]*/, "");
}
