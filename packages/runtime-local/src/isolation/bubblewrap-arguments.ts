import type { BubblewrapVersion } from "./bubblewrap-version.js";
import type { Mount } from "./mount.js";

/** Who a command is inside, whoever runs it outside. */
export const INSIDE = { uid: "1000", gid: "1000", hostName: "sandbox" } as const;

/** What a command can write to in memory, as it sees it; each run has its own. */
export const MEMORY_FILE_SYSTEMS = ["/tmp", "/dev/shm"] as const;

const MEBIBYTE = 1024 * 1024;
const TMP_BYTES = 256 * MEBIBYTE;
const SHARED_MEMORY_BYTES = 64 * MEBIBYTE;

export interface SandboxedProcess {
  readonly mounts: readonly Mount[];
  /** Absolute, inside. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly network: boolean;
  /**
   * True where the program is the supervisor, which is the first process inside and gives the command a session of its
   * own; otherwise bubblewrap's own first process starts the program.
   */
  readonly supervised: boolean;
  /** The launcher's descriptor that tells the process number inside and the exit code. */
  readonly statusDescriptor?: number | undefined;
}

/**
 * The launcher's options, for `--args`: on a command line anybody on the host could read the variables. Order counts:
 * what is mounted later lies over what was mounted before, and only when all is in its place the root becomes read-only.
 */
export function bubblewrapArguments(version: BubblewrapVersion, process: SandboxedProcess): Uint8Array {
  const { mounts, cwd, env, statusDescriptor } = process;
  const options = [
    ...separations(version, process),
    ...freshFileSystems(version),
    ...mounts.flatMap(mountOptions),
    ["--remount-ro", "/"],
    ["--clearenv"],
    ...Object.entries(env).map(([name, value]) => ["--setenv", name, value]),
    ["--chdir", cwd],
    ...(statusDescriptor === undefined ? [] : [["--json-status-fd", String(statusDescriptor)]]),
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
    // A root host's capabilities would let a command remount its read-only skill writable.
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
    // The device directory is itself a file system in memory, without a bound: only its shared memory stays writable.
    ["--dev", "/dev", ...tmpfs("/dev/shm", SHARED_MEMORY_BYTES), "--remount-ro", "/dev"],
    [...tmpfs("/tmp", TMP_BYTES), "--dir", "/var", "--symlink", "../tmp", "/var/tmp"],
  ];
}

function mountOptions({ kind, source, target }: Mount): string[] {
  const option = {
    "read-only": "--ro-bind",
    "read-only-if-there": "--ro-bind-try",
    writable: "--bind",
    link: "--symlink",
  }[kind];
  return [option, source, target];
}
