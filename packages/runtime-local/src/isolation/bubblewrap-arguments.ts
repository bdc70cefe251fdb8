import type { BubblewrapVersion } from "./bubblewrap-version.js";
import type { Mount } from "./mount.js";

/** The identity of a command inside the sandbox, whichever user runs it. */
export const INSIDE = { uid: "1000", gid: "1000", hostName: "sandbox" } as const;

/** Writable file systems in memory, by their paths inside; each run has its own. */
export const MEMORY_FILE_SYSTEMS = ["/tmp", "/dev/shm"] as const;

const MEBIBYTE = 1024 * 1024;
const TMP_BYTES = 256 * MEBIBYTE;
const SHARED_MEMORY_BYTES = 64 * MEBIBYTE;

export interface SandboxedProcess {
  readonly mounts: readonly Mount[];
  /** Absolute path inside. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly network: boolean;
}

/**
 * The launcher's options, passed through `--args`: on a command line, every user of the host could read the variables.
 * The order matters: later mounts cover earlier ones, and the root becomes read-only only when everything is mounted.
 */
export function bubblewrapArguments(
  { disableUserNamespaces, boundedTmpfs }: BubblewrapVersion,
  { mounts, cwd, env, network }: SandboxedProcess,
): Uint8Array {
  const options = [
    ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    network ? [] : ["--unshare-net"],
    disableUserNamespaces ? ["--disable-userns"] : [],
    ["--uid", INSIDE.uid, "--gid", INSIDE.gid, "--hostname", INSIDE.hostName],
    // With the capabilities of a root host, a command could remount its read-only skill writable.
    ["--cap-drop", "ALL"],
    // The supervisor is the first process inside, and gives the command a session of its own.
    ["--die-with-parent", "--as-pid-1"],
    ["--proc", "/proc"],
    // The device directory is itself an unbounded file system in memory: only its shared memory stays writable.
    ["--dev", "/dev"],
    boundedTmpfs ? ["--size", String(SHARED_MEMORY_BYTES)] : [],
    ["--perms", "1777", "--tmpfs", "/dev/shm", "--remount-ro", "/dev"],
    boundedTmpfs ? ["--size", String(TMP_BYTES)] : [],
    ["--perms", "1777", "--tmpfs", "/tmp", "--dir", "/var", "--symlink", "../tmp", "/var/tmp"],
    ...mounts.map(mountOptions),
    ["--remount-ro", "/", "--clearenv"],
    ...Object.entries(env).map(([name, value]) => ["--setenv", name, value]),
    ["--chdir", cwd],
  ];
  return Buffer.from(`${options.flat().join("\0")}\0`);
}

/** The launcher's options for a mount. */
function mountOptions({ kind, source, target }: Mount): string[] {
  const option = {
    "read-only": "--ro-bind",
    "read-only-if-there": "--ro-bind-try",
    writable: "--bind",
    link: "--symlink",
  }[kind];
  return [option, source, target];
}
