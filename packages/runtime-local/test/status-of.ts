import { readFileSync } from "node:fs";

/** A line of `/proc/<pid>/status`, its values with single spaces; empty for a process that has ended. */
export function statusOf(pid: number, name: string): string {
  try {
    const line = readFileSync(`/proc/${pid}/status`, "utf8")
      .split("\n")
      .find((text) => text.startsWith(`${name}:`));
    return (
      line
        ?.slice(name.length + 1)
        .trim()
        .replaceAll(/\s+/g, " ") ?? ""
    );
  } catch {
    return "";
  }
}
