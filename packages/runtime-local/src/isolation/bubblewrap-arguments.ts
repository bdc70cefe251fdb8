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
  /**
   * True where the program is the supervisor, which is the first process inside and gives the command its own session;
   * otherwise bubblewrap's own first process starts the program.
   */
  readonly supervised: boolean;
  /** The launcher's descriptor that reports the process id inside and the exit code. */
  readonly statusDescriptor?: number | undefined;
  /** The descriptor from which the launcher reads a system-call filter for everything inside. */
  readonly filterDescriptor?: number | undefined;
}

/**
 * The launcher's options, passed through `--args`: on a command line, every user of the host could read the variables.
 * The order matters: later mounts cover earlier ones, and the root becomes read-only only when everything is mounted.
 */
export function bubblewrapArguments(version: BubblewrapVersion, process: SandboxedProcess): Uint8Array {
  const { mounts, cwd, env, statusDescriptor, filterDescriptor } = process;
  const options = [
    ...separations(version, process),
    ...freshFileSystems(version),
    ...mounts.flatMap(mountOptions),
    ["--remount-ro", "/"],
    ["--clearenv"],
    ...Object.entries(env).map(([name, value]) => ["--setenv", name, value]),
    ["--chdir", cwd],
    ...(statusDescriptor === undefined ? [] : [["--json-status-fd", String(statusDescriptor)]]),
    ...(filterDescriptor === undefined ? [] : [["--seccomp", String(filterDescriptor)]]),
  ];
  return Buffer.from(
    options
      .flat()
      .map((option) => `${option}\0`)
      .join(""),
  );
}

function separations(
  version: BubblewrapVersion,
  { network, supervised }: Pick<SandboxedProcess, "network" | "supervised">,
): string[][] {
  return [
    ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    network ? [] : ["--unshare-net"],
    version.disableUserNamespaces ? ["--disable-userns"] : [],
    ["--uid", INSIDE.uid, "--gid", INSIDE.gid, "--hostname", INSIDE.hostName],
    // With the capabilities of a root host, a command could remount its read-only skill writable.
    ["--cap-drop", "ALL"],
    ["--die-with-parent", supervised ? "--as-pid-1" : "--new-session"],
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
