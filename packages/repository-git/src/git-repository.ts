import { isAbsolute } from "node:path";
import {
  type ByteStream,
  type CallOptions,
  containedPath,
  type Skill,
  SkillError,
  type SkillRepository,
} from "@skillwright/core";
import {
  attempts,
  fileNotFound,
  invalidSkill,
  isSummary,
  pickSkill,
  sharedWork,
  skillListing,
  skillNotFound,
  skillRules,
  spanned,
} from "@skillwright/core/adapter";
import { type GitIndex, type GitIndexOptions, gitIndex } from "./git-index.js";
import type { GitRepositoryOptions } from "./git-repository-options.js";
import { gitProgram } from "./process/git-program.js";
import { loadSkill } from "./skills/load-skill.js";
import type { GitSkill } from "./skills/read-summaries.js";
import { skillReader } from "./skills/skill-reader.js";
import { cacheDirectory } from "./snapshots/cache-directory.js";
import { snapshotFolder } from "./snapshots/snapshot-folder.js";
import { takeSnapshot } from "./snapshots/take-snapshot.js";
import { gitSource } from "./source/git-source.js";

/** Enough for the skills of a few hundred conversations; each takes about as much memory as its SKILL.md. */
const MAX_REMEMBERED = 256;

/** A repository at a commit. It is read-only. */
export interface GitSkillRepository extends SkillRepository {
  /** The id of the current commit, fetched first if necessary; `undefined` in a repository without commits. */
  commit(options?: CallOptions): Promise<string | undefined>;
}

/**
 * The skills in a commit of a Git repository: every folder with a SKILL.md, at any depth up to 6, without hidden
 * folders and `node_modules`. The user's own git fetches it, with their settings, keys and credential helpers, which
 * must not prompt; without history where the server supports that. Files are read from git's object store and never
 * checked out, so no hook, filter or submodule of the repository runs. Links and submodules are left out, with a
 * diagnostic.
 *
 * The first call fetches, `refresh` fetches again, and nothing else does; a cached commit is not fetched. A refresh
 * that fails keeps the previous state.
 *
 * @throws SkillError `CONFIG_INVALID`, at once, for invalid options: other transports, values that begin with a dash.
 * Every call that reads: `UNSUPPORTED` without a git of 2.30 or later, `BACKEND_FAILED` when git fails,
 * `DIGEST_MISMATCH` where `commit` is not the id of a commit. No message contains credentials.
 */
export function gitRepository(options: GitRepositoryOptions): GitSkillRepository {
  const { allowHttp = false, allowLocal = false, timeoutMs = 300_000, limits = {} } = options;
  const source = gitSource({
    ref: undefined,
    commit: undefined,
    path: undefined,
    ...options,
    allowHttp,
    allowLocal,
  });
  const { address, path } = source;
  const protocols = ["https", "ssh", ...(allowHttp ? ["http"] : []), ...(allowLocal ? ["file"] : [])];
  const git = gitProgram({ program: options.git ?? "git", address, protocols, timeoutMs });
  const folder = snapshotFolder(absolute(options.cache ?? cacheDirectory()), options.url, address.shown);
  const memory = { headers: new Map(), hashes: new Map() };
  const indexOptions: GitIndexOptions = {
    path,
    name: path?.split("/").at(-1) ?? address.name,
    depth: limits.depth ?? 6,
    entries: limits.entries ?? 100_000,
    rules: skillRules(options),
    memory,
  };
  let current: GitIndex | undefined;
  let started = 0;
  let taken = 0;
  const firstUse = sharedWork(update);
  const attempt = attempts(address.shown);

  const list: SkillRepository["list"] = ({ signal } = {}) =>
    attempt("Listing", signal, async () => skillListing(await (await index(signal)).scan(signal)));

  const find: SkillRepository["find"] = (name, { signal } = {}) =>
    attempt(`Looking for "${name}"`, signal, async () => {
      const found = pickSkill((await (await index(signal)).scan(signal)).skills, name)?.found;
      return found && isSummary(found) ? found : undefined;
    });

  const load: SkillRepository["load"] = (name, { signal, version } = {}) =>
    attempt(`Loading "${name}"`, signal, async () => {
      const { at, skill, gitDirectory } = await place(name, version, signal);
      const { found } = skill;
      if (!isSummary(found)) throw invalidSkill(found);
      const known = at.loaded.get(found.path);
      if (known) return known;
      const loading = { folder: skill.folder, summary: found, memory: memory.hashes, signal };
      const loaded = await loadSkill(git, gitDirectory, loading);
      remember(at.loaded, found.path, loaded);
      return loaded;
    });

  const open: SkillRepository["open"] = (name, file, { signal, version } = {}) =>
    attempt(`Opening "${file}" of "${name}"`, signal, async () => {
      containedPath(file);
      const { skill, gitDirectory } = await place(name, version, signal);
      return openFile(skill, gitDirectory, { name, file, signal });
    });

  const reader: NonNullable<SkillRepository["reader"]> = (name, { signal, version } = {}) =>
    attempt(`Opening "${name}"`, signal, async () => {
      const { skill, gitDirectory } = await place(name, version, signal);
      const one = async (file: string): Promise<ByteStream> =>
        openFile(skill, gitDirectory, { name, file, signal });
      return skillReader(git, gitDirectory, { files: skill.folder.files, open: one, signal });
    });

  const refresh: SkillRepository["refresh"] = ({ signal } = {}) =>
    attempt("Refreshing", signal, async () => void (await update(signal)));

  const commit: GitSkillRepository["commit"] = ({ signal } = {}) =>
    attempt("Looking", signal, async () => (await index(signal)).snapshot?.commit);

  async function close(): Promise<void> {
    current = undefined;
    memory.headers.clear();
    memory.hashes.clear();
  }

  const repository: GitSkillRepository = {
    get label() {
      const at = source.commit ?? current?.snapshot?.commit;
      const where = path === undefined ? "" : ` ${path}`;
      return `git ${cut(address.shown, 100)}${cut(where, 50)}@${at?.slice(0, 12) ?? cut(source.ref ?? "HEAD", 30)}`;
    },
    list,
    find,
    load,
    open,
    reader,
    refresh,
    commit,
    close,
    [Symbol.asyncDispose]: close,
  };
  return spanned("repository", repository, { repository: "git" });

  /** The current commit as last seen; the cache may have been cleared since. */
  async function index(signal: AbortSignal | undefined): Promise<GitIndex> {
    const last = current;
    if (last && (!last.snapshot || (await folder.find(last.snapshot.commit)) !== undefined)) return last;
    return await firstUse(signal);
  }

  async function update(signal: AbortSignal | undefined): Promise<GitIndex> {
    const turn = ++started;
    const snapshot = await takeSnapshot(git, source, folder, signal);
    const isSame = current?.snapshot?.commit === snapshot?.commit && current?.snapshot !== undefined;
    const seen = isSame && current ? current : gitIndex(git, snapshot, indexOptions);
    // A later request has the newer state.
    if (turn > taken) [taken, current] = [turn, seen];
    return seen;
  }

  async function place(
    name: string,
    version: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<{ at: GitIndex; skill: GitSkill; gitDirectory: string }> {
    const at = await index(signal);
    const skill = pickSkill((await at.scan(signal)).skills, name);
    if (!skill || !at.snapshot) throw skillNotFound(`no skill "${name}"`, address.shown);
    const { commit: id, gitDirectory } = at.snapshot;
    if (version !== undefined && version !== id)
      throw skillNotFound(`no version "${version}" of the skill "${name}", but ${id},`, address.shown);
    return { at, skill, gitDirectory };
  }

  function openFile(
    { folder: { files } }: GitSkill,
    gitDirectory: string,
    { name, file, signal }: { name: string; file: string; signal: AbortSignal | undefined },
  ): ByteStream {
    const found = files.find((one) => one.path === file);
    if (found) return git.local([`--git-dir=${gitDirectory}`, "cat-file", "blob", found.id], { signal });
    throw fileNotFound(name, file);
  }
}

function remember(loaded: Map<string, Skill>, path: string, skill: Skill): void {
  loaded.set(path, skill);
  const [oldest] = loaded.keys();
  if (loaded.size > MAX_REMEMBERED && oldest !== undefined) loaded.delete(oldest);
}

function absolute(cache: string): string {
  if (isAbsolute(cache)) return cache;
  throw new SkillError(
    "CONFIG_INVALID",
    `The cache ${JSON.stringify(cache)} is not an absolute path. Give an absolute path.`,
  );
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
