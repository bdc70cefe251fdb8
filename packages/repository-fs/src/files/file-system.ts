import fs, { type BigIntStats, type Dirent } from "node:fs";
import { atOnce, inBackground } from "./at-once.js";

/* The calls that are made once a file. */

const CALLS_AT_ONCE = 32;

export function lstat(path: string): Promise<BigIntStats> {
  const options = { bigint: true } as const;
  return atOnce(
    () => fs.lstatSync(path, options),
    (done) => fs.lstat(path, options, done),
  );
}

/** Like `lstat`, for many paths, in order. */
export async function lstatEach(paths: readonly string[]): Promise<BigIntStats[]> {
  const options = { bigint: true } as const;
  const all: BigIntStats[] = [];
  for (let from = 0; from < paths.length; from += CALLS_AT_ONCE) {
    const some = paths.slice(from, from + CALLS_AT_ONCE);
    const stats = await atOnce(
      () => some.map((path) => fs.lstatSync(path, options)),
      (done) =>
        void Promise.all(some.map((path) => lstat(path))).then(
          (found) => done(null, found),
          (error: Error) => done(error, []),
        ),
      some.length,
    );
    all.push(...stats);
  }
  return all;
}

export function readDirents(path: string): Promise<Dirent[]> {
  const options = { withFileTypes: true } as const;
  return atOnce(
    () => fs.readdirSync(path, options),
    (done) => fs.readdir(path, options, done),
  );
}

/** The path with all links resolved. */
export function realPath(path: string): Promise<string> {
  return atOnce(
    () => fs.realpathSync.native(path),
    (done) => fs.realpath.native(path, done),
  );
}

/** Creates a directory in an existing one. */
export function makeDirectory(path: string): Promise<void> {
  return atOnce<void>(
    () => fs.mkdirSync(path),
    (done) => fs.mkdir(path, (error) => done(error, undefined)),
  );
}

/** Creates or replaces a file with a short text. */
export function writeText(path: string, text: string): Promise<void> {
  return atOnce<void>(
    () => fs.writeFileSync(path, text),
    (done) => fs.writeFile(path, text, (error) => done(error, undefined)),
  );
}

export function renamePath(from: string, to: string): Promise<void> {
  return atOnce<void>(
    () => fs.renameSync(from, to),
    (done) => fs.rename(from, to, (error) => done(error, undefined)),
  );
}

export function removeFile(path: string): Promise<void> {
  return atOnce<void>(
    () => fs.unlinkSync(path),
    (done) => fs.unlink(path, (error) => done(error, undefined)),
  );
}

export function changeMode(path: string, mode: number): Promise<void> {
  return atOnce<void>(
    () => fs.chmodSync(path, mode),
    (done) => fs.chmod(path, mode, (error) => done(error, undefined)),
  );
}

/** `mode` applies to a file that this call creates. */
export function openDescriptor(path: string, flags: number, mode?: number): Promise<number> {
  return atOnce(
    () => fs.openSync(path, flags, mode),
    (done) => fs.open(path, flags, mode, done),
  );
}

export function fstat(descriptor: number): Promise<BigIntStats> {
  const options = { bigint: true } as const;
  return atOnce(
    () => fs.fstatSync(descriptor, options),
    (done) => fs.fstat(descriptor, options, done),
  );
}

/** Reads bytes at the descriptor's position; 0 bytes mean the end of the file. */
export function readDescriptor(descriptor: number, buffer: Uint8Array): Promise<number> {
  const { byteLength } = buffer;
  return atOnce(
    () => fs.readSync(descriptor, buffer, 0, byteLength, null),
    (done) => fs.read(descriptor, buffer, 0, byteLength, null, done),
  );
}

/** Large files are written in the background: a disk that falls behind blocks the writing call. */
export async function writeDescriptor(
  descriptor: number,
  bytes: Uint8Array,
  isLarge: boolean,
): Promise<void> {
  for (let written = 0; written < bytes.byteLength; ) {
    const left = bytes.subarray(written);
    const later = (done: (error: Error | null, count: number) => void): void =>
      fs.write(descriptor, left, done);
    written += isLarge
      ? await inBackground(later)
      : await atOnce(() => fs.writeSync(descriptor, left), later);
  }
}

export function truncateDescriptor(descriptor: number, size: number): Promise<void> {
  return atOnce<void>(
    () => fs.ftruncateSync(descriptor, size),
    (done) => fs.ftruncate(descriptor, size, (error) => done(error, undefined)),
  );
}

export function fchmod(descriptor: number, mode: number): Promise<void> {
  return atOnce<void>(
    () => fs.fchmodSync(descriptor, mode),
    (done) => fs.fchmod(descriptor, mode, (error) => done(error, undefined)),
  );
}

export function closeDescriptor(descriptor: number): Promise<void> {
  return atOnce<void>(
    () => fs.closeSync(descriptor),
    (done) => fs.close(descriptor, (error) => done(error ?? null, undefined)),
  );
}
