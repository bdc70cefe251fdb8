/** The user and group that a process runs as. */
export interface Credentials {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Commands of a root host run as this user, so that they cannot read what it may not read, even in a sandbox. The ids
 * are outside the ranges that systems assign to people, services and containers.
 */
export const UNPRIVILEGED: Credentials = { uid: 64_000, gid: 64_000 };

/** True for a process that can switch to another user. */
export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}
