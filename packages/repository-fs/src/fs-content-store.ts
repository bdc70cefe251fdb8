import { chmod, mkdir, rename } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import {
  type ContentStore,
  type Diagnostic,
  manifestDigest,
  type SkillManifest,
  type SkillReader,
} from "@skillwright/core";
import { attempts, type ContentLease, untilAborted } from "@skillwright/core/adapter";
import { aliasedDigest, writeAlias } from "./content/aliases.js";
import { collectEntries } from "./content/collect-entries.js";
import { allEntries, entryOf, hasTree, treeOf } from "./content/content-entry.js";
import { defaultRoot } from "./content/default-root.js";
import { addLease, hasLease, removeLease } from "./content/leases.js";
import { linkDiagnostics, linkDiagnosticsOf, makeTree, writableManifest } from "./content/make-tree.js";
import { withDirectoryLock } from "./files/directory-lock.js";
import { discard } from "./files/discard.js";
import { MAKING_PREFIX } from "./files/own-names.js";
import { newProcessMark } from "./files/process-mark.js";
import { removeTree } from "./files/remove-tree.js";
import { shownFailure } from "./files/write-content.js";

export interface FsContentStoreOptions {
  /**
   * Defaults to `<temporary directory>/skillwright-<uid>/content`. Its content can be read by every user of the machine
   * who knows a digest, since a runtime may run commands as another user; the parent directories must allow this.
   */
  readonly root?: string | undefined;
}

interface Source {
  readonly manifest: SkillManifest;
  readonly open: SkillReader;
  readonly owner: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Immutable directories in `<root>/<two digits>/<digest>/tree`. Several processes may share a root. What a killed
 * process was creating is recognised and removed by `collect`.
 */
export function fsContentStore(options: FsContentStoreOptions = {}): ContentStore {
  const making = new Map<string, Promise<void>>();
  let made: Promise<string> | undefined;
  const attempt = attempts(`content in ${options.root ?? "the temporary directory"}`, shownFailure);

  const materialize: ContentStore["materialize"] = (given, open, { owner, signal, alias }) =>
    attempt("Materialising a skill", signal, async () => {
      const manifest = writableManifest(given);
      const digest = manifestDigest(manifest);
      const root = await home();
      const entry = entryOf(root, digest);
      const source = { manifest, open, owner, signal };
      while (!(await isLeased(root, entry, owner, signal))) await makeOnce(root, entry, source);
      if (alias !== undefined) await writeAlias(root, alias, digest);
      return lease(digest, entry, owner, linkDiagnostics(manifest));
    });

  const find: ContentStore["find"] = (wanted, { owner, signal }) =>
    attempt("Looking for content", signal, async () => {
      const root = await home();
      const digest =
        "alias" in wanted ? await aliasedDigest(root, wanted.alias) : checkedDigest(wanted.digest);
      if (digest === undefined) return undefined;
      const entry = entryOf(root, digest);
      if (!(await isLeased(root, entry, owner, signal))) return undefined;
      return lease(digest, entry, owner, await linkDiagnosticsOf(treeOf(entry)));
    });

  const releaseAll: ContentStore["releaseAll"] = (owner) =>
    attempt("Releasing leases", undefined, async () => {
      for (const { entry } of await allEntries(await home())) await removeLease(entry, owner);
    });

  const collect: ContentStore["collect"] = (isLive) =>
    attempt("Collecting", undefined, async () => await collectEntries(await home(), isLive));

  async function close(): Promise<void> {}

  return { materialize, find, releaseAll, collect, close, [Symbol.asyncDispose]: close };

  /** False when there is no directory to lease yet. The lock prevents a collector from removing it in between. */
  async function isLeased(
    root: string,
    entry: string,
    owner: string,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    if (!(await hasTree(entry))) return false;
    if (await hasLease(entry, owner)) return true;
    return await withDirectoryLock(root, signal, async () => {
      const exists = await hasTree(entry);
      if (exists) await addLease(entry, owner);
      return exists;
    });
  }

  /** Waits for a process that is already creating it. If that fails, the caller creates it with its own source. */
  async function makeOnce(root: string, entry: string, source: Source): Promise<void> {
    const other = making.get(entry);
    if (other) return await untilAborted(other.catch(nothing), source.signal);
    const work = make(root, entry, source);
    making.set(entry, work);
    try {
      await work;
    } finally {
      making.delete(entry);
    }
  }

  function home(): Promise<string> {
    made ??= preparedRoot(options.root);
    made.catch(() => {
      made = undefined;
    });
    return made;
  }
}

async function preparedRoot(given: string | undefined): Promise<string> {
  const root = given === undefined ? await defaultRoot() : resolve(given);
  const firstMade = await mkdir(root, { recursive: true });
  if (firstMade !== undefined) await passable(root);
  return root;
}

/**
 * Creates the tree aside and moves it into place. If another process was faster, with the same bytes, that tree is
 * kept.
 */
async function make(root: string, entry: string, source: Source): Promise<void> {
  const { manifest, open, owner, signal } = source;
  const prepared = join(root, MAKING_PREFIX + (await newProcessMark()));
  try {
    await mkdir(prepared);
    await makeTree(treeOf(prepared), manifest, open, signal);
    for (const folder of [prepared, dirname(entry)]) await passable(folder);
    await withDirectoryLock(root, signal, async () => {
      if (!(await hasTree(entry))) {
        await discard(entry, root);
        await rename(prepared, entry);
      }
      await addLease(entry, owner);
    });
  } finally {
    await removeTree(prepared);
  }
}

/** Allows others to pass to a directory whose name they know, but not to list what is there. */
async function passable(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o711);
}

/** `undefined` for text that is not a digest, under which nothing is stored. */
function checkedDigest(digest: string): string | undefined {
  return /^sha256:[0-9a-f]{64}$/.test(digest) ? digest : undefined;
}

function lease(
  digest: string,
  entry: string,
  owner: string,
  diagnostics: readonly Diagnostic[],
): ContentLease {
  return {
    digest,
    directory: treeOf(entry),
    diagnostics,
    release: async () => await removeLease(entry, owner),
  };
}

function nothing(): void {}
