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
export function bubblewrapArguments(version: BubblewrapVersion, process: SandboxedProcess): Uint8Array {
  const { mounts, cwd, env } = process;
  const options = [
    ...separations(version, process),
    ...freshFileSystems(version),
    ...mounts.flatMap(mountOptions),
    ["--remount-ro", "/"],
    ["--clearenv"],
    ...Object.entries(env).map(([name, value]) => ["--setenv", name, value]),
    ["--chdir", cwd],
  ];
  return Buffer.from(
    options
      .flat()
      .map((option) => `${option}\0`)
      .join(""),
  );
}

function separations(version: BubblewrapVersion, { network }: Pick<SandboxedProcess, "network">): string[][] {
  return [
    ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    network ? [] : ["--unshare-net"],
    version.disableUserNamespaces ? ["--disable-userns"] : [],
    ["--uid", INSIDE.uid, "--gid", INSIDE.gid, "--hostname", INSIDE.hostName],
    // With the capabilities of a root host, a command could remount its read-only skill writable.
    ["--cap-drop", "ALL"],
    // The supervisor is the first process inside, and gives the command a session of its own.
    ["--die-with-parent", "--as-pid-1"],
  ];
}

function freshFileSystems(version: BubblewrapVersion): string[][] {
  const tmpfs = (path: string, bytes: number) => [
    ...(version.boundedTmpfs ? ["--size", String(bytes)] : []),
    ...["--perms", "1777", "--tmpfs", path],
  ];
  return [
    ["--proc", "/proc"],
    // The device directory is itself an unbounded file system in memory: only its shared memory stays writable.
    ["--dev", "/dev", ...tmpfs("/dev/shm", SHARED_MEMORY_BYTES), "--remount-ro", "/dev"],
    [...tmpfs("/tmp", TMP_BYTES), "--dir", "/var", "--symlink", "../tmp", "/var/tmp"],
  ];
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
