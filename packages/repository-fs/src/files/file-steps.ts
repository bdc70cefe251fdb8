import fs, { type BigIntStats, type Dirent } from "node:fs";
import {
  closeDescriptor,
  fstat,
  lstat,
  lstatEach,
  openDescriptor,
  readDescriptor,
  readDirents,
  realPath,
} from "./file-system.js";
import { type FileCall, type FileStep, fileStep, type Steps } from "./steps.js";

/* The calls that a listing makes once a file, as steps. */

const WITH_TYPES = { withFileTypes: true } as const;
const BIG = { bigint: true } as const;
/** This many calls are short enough for one step. */
const STATS_AT_ONCE = 32;

const LSTAT: FileCall<string, BigIntStats> = { now: (path) => fs.lstatSync(path, BIG), later: lstat };
const LSTAT_EACH: FileCall<readonly string[], readonly BigIntStats[]> = {
  now: (paths) => paths.map((path) => fs.lstatSync(path, BIG)),
  later: lstatEach,
};
const DIRENTS: FileCall<string, Dirent[]> = {
  now: (path) => fs.readdirSync(path, WITH_TYPES),
  later: readDirents,
};
const REAL_PATH: FileCall<string, string> = { now: (path) => fs.realpathSync.native(path), later: realPath };
const OPEN: FileCall<{ readonly path: string; readonly flags: number }, number> = {
  now: ({ path, flags }) => fs.openSync(path, flags),
  later: ({ path, flags }) => openDescriptor(path, flags),
};
const FSTAT: FileCall<number, BigIntStats> = {
  now: (descriptor) => fs.fstatSync(descriptor, BIG),
  later: fstat,
};
const READ: FileCall<{ readonly descriptor: number; readonly buffer: Uint8Array }, number> = {
  now: ({ descriptor, buffer }) => fs.readSync(descriptor, buffer, 0, buffer.byteLength, null),
  later: ({ descriptor, buffer }) => readDescriptor(descriptor, buffer),
};
const CLOSE: FileCall<number, void> = {
  now: (descriptor) => fs.closeSync(descriptor),
  later: closeDescriptor,
};

export function* lstatStep(path: string): Steps<BigIntStats> {
  return (yield lstatOf(path)) as BigIntStats;
}

/** Like `lstatStep`, for many paths, in order. */
export function* lstatSteps(paths: readonly string[]): Steps<readonly BigIntStats[]> {
  if (paths.length === 0) return [];
  if (paths.length <= STATS_AT_ONCE)
    return (yield fileStep(LSTAT_EACH, paths, paths.length)) as readonly BigIntStats[];
  const all: BigIntStats[] = [];
  for (let from = 0; from < paths.length; from += STATS_AT_ONCE)
    all.push(...(yield* lstatSteps(paths.slice(from, from + STATS_AT_ONCE))));
  return all;
}

/** The path with all links resolved. */
export function* realPathStep(path: string): Steps<string> {
  return (yield fileStep(REAL_PATH, path)) as string;
}

/* To be yielded by themselves: each gives what it says. */

/** Returns `BigIntStats`. */
export function lstatOf(path: string): FileStep {
  return fileStep(LSTAT, path);
}

/** Returns the entries as `Dirent[]`. */
export function direntsOf(path: string): FileStep {
  return fileStep(DIRENTS, path);
}

/** Returns the descriptor, a number. */
export function openOf(path: string, flags: number): FileStep {
  return fileStep(OPEN, { path, flags });
}

/** Returns `BigIntStats`. */
export function fstatOf(descriptor: number): FileStep {
  return fileStep(FSTAT, descriptor);
}

/** Returns the number of bytes read at the descriptor's position; 0 means the end of the file. */
export function readOf(descriptor: number, buffer: Uint8Array): FileStep {
  return fileStep(READ, { descriptor, buffer });
}

export function closeOf(descriptor: number): FileStep {
  return fileStep(CLOSE, descriptor);
}
