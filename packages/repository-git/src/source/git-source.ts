import { containedPath, SkillError } from "@skillwright/core";
import { type AllowedAddresses, type GitAddress, gitAddress } from "./git-url.js";

/** The validated repository, commit and folder. */
export interface GitSource {
  readonly address: GitAddress;
  /** A branch, a tag, or a full name below `refs/`; `undefined` for the server's HEAD. */
  readonly ref: string | undefined;
  /** 40 or 64 lower-case hexadecimal digits. */
  readonly commit: string | undefined;
  /** The folder to search; `undefined` for the whole repository. */
  readonly path: string | undefined;
}

export interface GitSourceOptions extends AllowedAddresses {
  readonly url: string;
  readonly ref: string | undefined;
  readonly commit: string | undefined;
  readonly path: string | undefined;
}

/** What `git check-ref-format` refuses, patterns included. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the point
const UNFIT_REF = /[\u0000- \u007f~^:?*[\\]|\.\.|@\{|\/\/|^[-/]|[/.]$|\.lock(?:\/|$)|(?:^|\/)\.|^@$/;

/** @throws SkillError `CONFIG_INVALID`; the message contains no credentials. */
export function gitSource({ url, ref, commit, path, ...allowed }: GitSourceOptions): GitSource {
  const address = gitAddress(url, allowed);
  if (ref !== undefined && (ref === "" || ref.length > 1000 || UNFIT_REF.test(ref)))
    throw invalid("ref", ref, "Give the name of a branch or a tag, such as main or v1.2.");
  if (commit !== undefined && !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit))
    throw invalid("commit", commit, "Give all 40 (or 64) lower-case hexadecimal digits of it.");
  return { address, ref, commit, path: path === undefined ? undefined : checkedPath(path) };
}

function checkedPath(path: string): string {
  try {
    if (!path.startsWith("-")) return containedPath(path);
  } catch {
    // Reported below, with the option's name.
  }
  throw invalid("path", path, 'Give a folder inside the repository, such as "skills".');
}

function invalid(field: string, value: string, remedy: string): SkillError {
  const shown = JSON.stringify(value.slice(0, 200));
  return new SkillError(
    "CONFIG_INVALID",
    `The ${field} ${shown} of the git repository cannot be used. ${remedy}`,
  );
}
