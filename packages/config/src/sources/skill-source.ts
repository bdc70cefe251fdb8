import { SkillError } from "@skillwright/core";

/** A source of skills, parsed from one line of text. */
export type SkillSource =
  /** `path` as given, relative to the location of the text. */
  | { readonly kind: "folder"; readonly path: string }
  /** `prefix` without leading and trailing slashes; empty for the whole bucket. */
  | { readonly kind: "s3"; readonly bucket: string; readonly prefix: string }
  | {
      readonly kind: "git";
      readonly url: string;
      readonly ref?: string;
      readonly path?: string;
    }
  | { readonly kind: "http"; readonly url: string }
  /** A registry, read with its versions and labels. */
  | { readonly kind: "registry"; readonly url: string };

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/**
 * Parses a source of skills:
 *
 * - `s3://bucket/prefix`, and `oss://bucket/prefix` for the same by another vendor;
 * - `git+https://host/path#ref:folder`, `git+ssh://…`, `git+file:///…`, `https://host/path.git#ref`,
 *   `git@host:path#ref`: ref and folder are both optional (`#:folder`);
 * - any other `https://` or `http://` URL: an archive of one or several skills, a SKILL.md or a well-known index;
 * - `registry+https://host/path/`: a registry, whose versions can be named and locked;
 * - everything else is the path of a folder.
 *
 * @throws SkillError `CONFIG_INVALID` for an empty text, an invalid bucket name, another scheme.
 */
export function skillSource(text: string): SkillSource {
  const given = text.trim();
  if (given === "") throw invalid(text, "is empty");
  if (/^(s3|oss):\/\//i.test(given)) return bucketSource(given);
  if (isGit(given)) return gitSource(given);
  if (/^registry\+https?:\/\//i.test(given))
    return { kind: "registry", url: given.slice("registry+".length) };
  if (/^https?:\/\//i.test(given)) return { kind: "http", url: given };
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) throw invalid(text, "has an unknown scheme");
  return { kind: "folder", path: given };
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

function invalid(text: string, problem: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `The source of skills ${JSON.stringify(withoutCredentials(text).slice(0, 120))} ${problem}. ` +
      "Give a folder, s3://bucket/prefix, git+https://host/path#ref:folder, an https address or registry+https://host/.",
  );
}

/** The text as it may be shown: the part before an `@` of a URL, and its query, are removed. */
export function withoutCredentials(text: string): string {
  return text.replace(/(:\/\/)[^/@\s]*@/, "$1").replace(/\?[^#]*/, "");
}
