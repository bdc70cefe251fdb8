import type { MadeLimits } from "../container/container-labels.js";
import { ROOT } from "../container/workspace-container.js";

/** What is enforced on a command in a container, measured from inside. */
export interface Measured {
  readonly uid: number;
  /** True where it has none, and could get none but those of the supervisor. */
  readonly noCapabilities: boolean;
  readonly noNewPrivileges: boolean;
  /** True where the engine filters system calls of all processes. */
  readonly filteredCalls: boolean;
  /** True where the image's own files and the workspace's root are read-only. */
  readonly systemReadOnly: boolean;
  readonly skillsReadOnly: boolean;
  readonly onlyLoopback: boolean;
  /** True where gVisor answers system calls, as its kernel says of itself. */
  readonly isGvisor: boolean;
  /** Missing where the image has no program to test it with. */
  readonly makesUserNamespaces: boolean;
  readonly limits: Partial<MadeLimits>;
  /** Names of the programs on the image's PATH, sorted. */
  readonly programs: readonly string[];
}

/**
 * Prints lines of `name value`. Reads control groups of both versions where a container sees its own. Uses builtins as
 * far as possible, because the image may have few programs. Its argument is the PATH of commands.
 */
export const MEASURING = `
while read -r key value rest; do
  case $key in
  Uid:|CapEff:|CapBnd:|NoNewPrivs:) echo "$key $value" ;;
  esac
done < /proc/self/status
while read -r key value rest; do
  case $key in
  Seccomp:) echo "first-$key $value" ;;
  esac
done < /proc/1/status
read -r version < /proc/version && echo "version $version"
( : > /etc/skillwright-probe ) 2>/dev/null && echo "etc written"
( : > /skillwright-probe ) 2>/dev/null && echo "root written"
( : > ${ROOT}/probe ) 2>/dev/null && echo "workspace written"
( : > ${ROOT}/skills/probe ) 2>/dev/null && echo "skills written"
while read -r name rest; do
  case $name in
  Inter-*|face*) ;;
  *) echo "interface \${name%%:*}" ;;
  esac
done < /proc/net/dev
first() {
  name=$1
  shift
  for file; do
    if [ -r "$file" ]; then
      read -r line < "$file" && echo "$name $line"
      return
    fi
  done
}
command -v unshare >/dev/null && unshare -U true 2>/dev/null && echo "namespaces made"
g=/sys/fs/cgroup
stat -f -c "storage %b %S %c" ${ROOT} 2>/dev/null
first memory $g/memory.max $g/memory/memory.limit_in_bytes
first swap $g/memory.swap.max
first both $g/memory/memory.memsw.limit_in_bytes
first pids $g/pids.max $g/pids/pids.max
first cpu $g/cpu.max
first quota $g/cpu/cpu.cfs_quota_us $g/cpu,cpuacct/cpu.cfs_quota_us
first period $g/cpu/cpu.cfs_period_us $g/cpu,cpuacct/cpu.cfs_period_us
while read -r one two three soft hard rest; do
  case "$one $two $three" in
  "Max open files") echo "files $hard" ;;
  "Max file size") echo "size $hard" ;;
  esac
done < /proc/self/limits
IFS=:
for directory in $1; do
  for program in "$directory"/*; do
    [ -f "$program" ] && [ -x "$program" ] && echo "program \${program##*/}"
  done
done
true
`;

/** The text comes from the container, but from our own script, in a container where no command ever ran. */
export function readMeasured(text: string): Measured {
  const told = text.split("\n").map((line) => line.trim().split(" "));
  const value = (name: string) => told.find(([first]) => first === name)?.[1];
  const written = (place: string) => told.some(([first, second]) => first === place && second === "written");
  const interfaces = told.filter(([first]) => first === "interface").map(([, name]) => name);
  return {
    uid: Number(value("Uid:")),
    noCapabilities: isZero(value("CapEff:")) && areSupervisors(value("CapBnd:")),
    noNewPrivileges: value("NoNewPrivs:") === "1",
    filteredCalls: value("first-Seccomp:") === "2",
    systemReadOnly: !["etc", "root", "workspace"].some(written),
    skillsReadOnly: !written("skills"),
    isGvisor: /^version .*gvisor/im.test(text),
    onlyLoopback: interfaces.length > 0 && interfaces.every((name) => name === "lo"),
    makesUserNamespaces: told.some(([first, second]) => first === "namespaces" && second === "made"),
    limits: readLimits(told),
    programs: readPrograms(text),
  };
}

/**
 * A name may contain blanks. A name with a line end appears as a shorter one that does not exist, and is dropped with
 * the rest.
 */
function readPrograms(text: string): readonly string[] {
  const names = [...text.matchAll(/^program (.+)$/gm)].map(([, name = ""]) => name);
  return [...new Set(names)].sort();
}

function readLimits(told: readonly (readonly string[])[]): Partial<MadeLimits> {
  const numbers = (name: string) => (told.find(([first]) => first === name) ?? []).slice(1).map(Number);
  const [quota, period] =
    numbers("cpu").length === 2 ? numbers("cpu") : [numbers("quota")[0], numbers("period")[0]];
  const [memory, swap, both] = [numbers("memory")[0], numbers("swap")[0], numbers("both")[0]];
  const [blocks, blockSize, inodes] = numbers("storage");
  // Without a limit on swap, a memory limit would only make a machine with swap slow.
  const withSwap = swap === undefined ? both === undefined || both === memory : swap === 0;
  const found = {
    memoryBytes: withSwap ? memory : undefined,
    cpu: quota && period && quota > 0 ? quota / period : undefined,
    processes: numbers("pids")[0],
    openFiles: numbers("files")[0],
    fileBytes: numbers("size")[0],
    diskBytes: blocks !== undefined && blockSize !== undefined ? blocks * blockSize : undefined,
    inodes,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined && value >= 0));
}

/** KILL, SETGID and SETUID are the numbers 5 to 7. */
const SUPERVISORS = 0xe0n;

function areSupervisors(hexadecimal: string | undefined): boolean {
  return hexadecimal !== undefined && (BigInt(`0x${hexadecimal}`) & ~SUPERVISORS) === 0n;
}

function isZero(hexadecimal: string | undefined): boolean {
  return hexadecimal !== undefined && /^0+$/.test(hexadecimal);
}
