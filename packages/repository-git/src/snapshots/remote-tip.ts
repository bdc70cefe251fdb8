import { SkillError } from "@skillwright/core";
import type { GitProgram } from "../process/git-program.js";
import type { GitSource } from "../source/git-source.js";

/** The current target of a name on the server. */
export interface RemoteTip {
  /** Full name, such as `refs/heads/main`. */
  readonly name: string;
  /** The commit itself, even where the name is an annotated tag. */
  readonly commit: string;
}

/**
 * Asks the server without a download. A branch takes precedence over a tag of the same name. `undefined` where no ref
 * was requested and the repository is empty.
 * @throws SkillError `BACKEND_FAILED`, also where there is no such branch or tag; `ABORTED`.
 */
export async function remoteTip(
  git: GitProgram,
  { address, ref }: GitSource,
  signal: AbortSignal | undefined,
): Promise<RemoteTip | undefined> {
  const names = namesOf(ref);
  const patterns = names.flatMap((name) => [name, `${name}^{}`]);
  const said = await git.remote(["ls-remote", "--quiet", "--end-of-options", address.url, ...patterns], {
    signal,
  });
  const ids = new Map(
    said.split("\n").map((line) => [line.slice(line.indexOf("\t") + 1), line.split("\t")[0] ?? ""]),
  );
  for (const name of names) {
    const commit = ids.get(`${name}^{}`) ?? ids.get(name);
    if (commit !== undefined && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) return { name, commit };
  }
  if (ref === undefined) return undefined;
  const message = `${address.shown} has no branch and no tag "${ref}". Correct the ref, or leave it out for the default branch.`;
  throw new SkillError("BACKEND_FAILED", message);
}

function namesOf(ref: string | undefined): readonly string[] {
  if (ref === undefined || ref === "HEAD") return ["HEAD"];
  return ref.startsWith("refs/") ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`];
}
