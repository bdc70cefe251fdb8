import fs, { type BigIntStats } from "node:fs";
import { atOnce } from "./at-once.js";
import { isGone } from "./errno.js";
import { isSameStamp, type Stamp } from "./stamp.js";

/** A file or directory with the stamp that it had before it was read. */
export interface SeenPath extends Stamp {
  readonly path: string;
}

const BIG = { bigint: true } as const;
/** This many calls are short enough for one turn. */
const PATHS_AT_ONCE = 64;
const CALLS_A_LIST = 4;

/** Copies only the needed fields, since it is kept in memory. */
export function seenPath(path: string, { dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): SeenPath {
  return { path, dev, ino, size, mtimeNs, ctimeNs };
}

/**
 * For each list, whether every path in it still has its stamp. Lists are looked at together, because a promise for each
 * of thousands would cost as much as a system call.
 */
export async function areUnchanged(lists: readonly (readonly SeenPath[])[]): Promise<readonly boolean[]> {
  const all: boolean[] = [];
  for (let from = 0; from < lists.length; ) {
    const to = groupEnd(lists, from);
    all.push(...(await areSame(lists.slice(from, to))));
    from = to;
  }
  return all;
}

function groupEnd(lists: readonly (readonly SeenPath[])[], from: number): number {
  let paths = 0;
  let to = from;
  while (to < lists.length && (to === from || paths < PATHS_AT_ONCE)) paths += lists[to++]?.length ?? 0;
  return to;
}

function areSame(lists: readonly (readonly SeenPath[])[]): Promise<readonly boolean[]> {
  return atOnce(
    () => lists.map(areSameNow),
    (done) =>
      void Promise.all(lists.map(areSameLater)).then(
        (all) => done(null, all),
        (error: Error) => done(error, []),
      ),
    lists.length * CALLS_A_LIST,
  );
}

function areSameNow(paths: readonly SeenPath[]): boolean {
  try {
    for (const seen of paths) if (!isSameStamp(fs.lstatSync(seen.path, BIG), seen)) return false;
    return true;
  } catch (error) {
    return unlessGone(error);
  }
}

async function areSameLater(paths: readonly SeenPath[]): Promise<boolean> {
  return !(await Promise.all(paths.map(isSameLater))).includes(false);
}

async function isSameLater(seen: SeenPath): Promise<boolean> {
  return await fs.promises.lstat(seen.path, BIG).then((stat) => isSameStamp(stat, seen), unlessGone);
}

function unlessGone(error: unknown): false {
  if (!isGone(error)) throw error;
  return false;
}
