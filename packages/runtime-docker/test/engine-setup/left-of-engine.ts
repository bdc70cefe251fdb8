import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";

/** The remains of a private engine with this data directory: the directory, mounts, processes, control groups. */
export function leftOfEngine(folder: string): string[] {
  return [
    ...[folder].filter((path) => existsSync(path)),
    ...read("/proc/self/mounts")
      .split("\n")
      .filter((line) => line.includes(`${folder}/`)),
    ...processes().filter((args) => args.includes(`${folder}/`)),
    ...["", ...readdirSync("/sys/fs/cgroup")]
      .map((hierarchy) => `/sys/fs/cgroup/${hierarchy}/skillwright-${basename(folder)}`)
      .filter((path) => existsSync(path)),
  ];
}

function processes(): string[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map((pid) => read(`/proc/${pid}/cmdline`).replaceAll("\0", " "));
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // a process that has ended
  }
}
