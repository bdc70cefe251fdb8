import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { Credentials } from "./credentials.js";

const READ = 4;
const ENTER = 1;

/**
 * The part of the path that prevents that user from reading it: the path itself or a parent directory; `undefined`
 * where nothing does. Synchronous: a handful of calls that take microseconds each.
 */
export function unreachablePart(path: string, user: Credentials): string | undefined {
  const own = statSync(path);
  if (!allows(own, user, own.isDirectory() ? READ | ENTER : READ)) return path;
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    if (!allows(statSync(directory), user, ENTER)) return directory;
    if (directory === dirname(directory)) return undefined;
  }
}

function allows(
  { mode, uid, gid }: { mode: number; uid: number; gid: number },
  user: Credentials,
  wanted: number,
): boolean {
  const bits = uid === user.uid ? mode >> 6 : gid === user.gid ? mode >> 3 : mode;
  return (bits & wanted) === wanted;
}
