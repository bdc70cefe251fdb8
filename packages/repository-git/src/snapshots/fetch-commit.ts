import { readText, SkillError } from "@skillwright/core";
import type { GitProgram } from "../process/git-program.js";
import type { GitSource } from "../source/git-source.js";

export interface FetchOptions {
  /** An empty folder, which becomes a bare repository. */
  readonly prepared: string;
  /** The name on the server; `undefined` to request the commit itself. */
  readonly name: string | undefined;
  /** The expected commit. */
  readonly wanted: string;
  readonly signal: AbortSignal | undefined;
}

const KEPT = "refs/skillwright/snapshot";
const WITHOUT_HISTORY = ["--depth=1"];
/** Errors of servers that accept only names instead of commits, or cannot omit history. */
const NEEDS_MORE = /unadvertised object|does not support shallow|shallow capabilities|shallow clients/i;

/**
 * Fetches a single commit without its history, or with it where the server does not support that. Returns the fetched
 * commit; a name may have moved to a later one than expected.
 * @throws SkillError `DIGEST_MISMATCH` where a pinned id does not belong to a commit, `BACKEND_FAILED`, `ABORTED`.
 */
export async function fetchCommit(
  git: GitProgram,
  source: GitSource,
  options: FetchOptions,
): Promise<string> {
  const { prepared, name, wanted, signal } = options;
  const format = wanted.length === 64 ? "sha256" : "sha1";
  await drain(
    git,
    ["init", "--quiet", "--bare", "--template=", `--object-format=${format}`, "--", prepared],
    signal,
  );
  try {
    await fetch([...WITHOUT_HISTORY], `+${name ?? wanted}:${KEPT}`);
  } catch (error) {
    if (!saysItNeedsMore(error)) throw error;
    if (name !== undefined) await fetch([], `+${name}:${KEPT}`);
    else await fetch([], "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*");
  }
  const commit = await commitOf(git, prepared, name === undefined ? wanted : KEPT, signal);
  if (name === undefined && commit !== wanted) throw mismatch(source, wanted, commit);
  if (commit === undefined) throw mismatch(source, wanted, commit);
  return commit;

  async function fetch(more: readonly string[], ...what: readonly string[]): Promise<void> {
    const quiet = [
      "--quiet",
      "--no-tags",
      "--no-recurse-submodules",
      "--no-write-fetch-head",
      "--no-auto-maintenance",
    ];
    const place = ["--end-of-options", source.address.url, ...what];
    await git.remote([`--git-dir=${prepared}`, "fetch", ...quiet, ...more, ...place], { signal });
  }
}

/** The commit for a name or id; `undefined` for anything else. */
async function commitOf(
  git: GitProgram,
  gitDirectory: string,
  name: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const asked = { signal, input: `${name}^{commit}\n` };
  const said = await readText(
    git.local([`--git-dir=${gitDirectory}`, "cat-file", "--batch-check"], asked),
    10_000,
  );
  return /^([0-9a-f]{40,64}) commit \d+\n$/.exec(said)?.[1];
}

async function drain(
  git: GitProgram,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  await readText(git.local(args, { signal }), 1_000_000);
}

function saysItNeedsMore(error: unknown): boolean {
  return SkillError.is(error, "BACKEND_FAILED") && NEEDS_MORE.test(String(error.details["said"]));
}

function mismatch({ address }: GitSource, wanted: string, found: string | undefined): SkillError {
  const instead = found === undefined ? "there is no such commit" : `it leads to the commit ${found}`;
  const message = `The commit ${wanted} was requested from ${address.shown}, but ${instead}. Give the id of a commit.`;
  return new SkillError("DIGEST_MISMATCH", message, { details: { expected: wanted, found } });
}
