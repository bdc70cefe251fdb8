import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
} from "node:fs";
import { descriptorPath, O_PATH, OPEN_DIRECTORY } from "../files/anchored-directory.js";

/**
 * An open directory of the user's folder. Its entries are reached through the descriptor, so that a link that a command
 * puts in the place of a directory leads nowhere. Names are bytes.
 */
export interface OpenedDirectory {
  readonly descriptor: number;
  /** Valid while it is open. */
  at(name: Buffer): Buffer;
  names(): readonly Buffer[];
  /** `undefined` where there is nothing. */
  look(name: Buffer): BigIntStats | undefined;
  /** Opens a directory in it, never a link to one; `undefined` where that is not possible. */
  enter(name: Buffer): OpenedDirectory | undefined;
  /** The same after giving this user access to the directory. */
  enterAnyway(name: Buffer): OpenedDirectory | undefined;
  close(): void;
}

/** @throws the system's error where the path is not a directory. */
export function openedDirectory(path: string | Buffer): OpenedDirectory {
  return over(openSync(path, OPEN_DIRECTORY), path.toString());
}

/** Opens a regular file without following a link or waiting for a pipe's other end; `undefined` where it is none. */
export function openedFile(path: Buffer): number | undefined {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const descriptor = attempt(() => openSync(path, flags));
  if (descriptor === undefined || fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  return undefined;
}

function over(descriptor: number, path: string): OpenedDirectory {
  const directory = descriptorPath(descriptor, path);
  const at = (name: Buffer) => Buffer.concat([Buffer.from(`${directory}/`), name]);
  const enter = (name: Buffer): OpenedDirectory | undefined => {
    const opened = attempt(() => openSync(at(name), OPEN_DIRECTORY));
    return opened === undefined ? undefined : over(opened, at(name).toString());
  };
  return {
    descriptor,
    at,
    names: () => readdirSync(directory, { encoding: "buffer" }),
    look: (name) => lstatSync(at(name), { bigint: true, throwIfNoEntry: false }),
    enter,
    enterAnyway: (name) => {
      allowEntry(at(name));
      return enter(name);
    },
    close: () => closeSync(descriptor),
  };
}

/** A directory without permissions can still be opened as a path descriptor, which links cannot redirect. */
function allowEntry(path: Buffer): void {
  const flags = OPEN_DIRECTORY | (process.platform === "linux" ? O_PATH : 0);
  const descriptor = attempt(() => openSync(path, flags));
  if (descriptor === undefined) return;
  attempt(() => chmodSync(descriptorPath(descriptor, path.toString()), 0o700));
  closeSync(descriptor);
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
