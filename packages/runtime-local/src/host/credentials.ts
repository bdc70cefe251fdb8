/** The user and group a process runs under. */
export interface Credentials {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Root does not lend its rights to commands: what this uid and gid may not read, a sandboxed command of a root host cannot
 * read either. Outside the ranges that systems give to people, services and containers.
 */
export const UNPRIVILEGED: Credentials = { uid: 64_000, gid: 64_000 };

/** True for a process that can become another user. */
export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}
