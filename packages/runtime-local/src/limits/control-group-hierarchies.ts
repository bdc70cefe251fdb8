import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export type Controller = "memory" | "pids" | "cpu";

/**
 * This process's own group in each of the kernel's older, separate hierarchies (version 1), below which root may create
 * others. Empty where the machine has one unified hierarchy.
 */
export function ownControlGroups(proc = "/proc/self"): ReadonlyMap<Controller, string> {
  const found = new Map<Controller, string>();
  try {
    const mounts = readFileSync(`${proc}/mountinfo`, "utf8");
    const groups = readFileSync(`${proc}/cgroup`, "utf8");
    for (const controller of ["memory", "pids", "cpu"] as const) {
      const path = ownGroup(controller, mounts, groups);
      if (path && existsSync(join(path, "cgroup.procs"))) found.set(controller, path);
    }
  } catch {}
  return found;
}

function ownGroup(controller: Controller, mounts: string, groups: string): string | undefined {
  for (const line of mounts.split("\n")) {
    // See proc(5): root and mount point are the fourth and fifth fields; the options are at the end.
    const [before = "", after = ""] = line.split(" - ");
    const [, , , root = "", mountPoint = ""] = before.split(" ").map(unescaped);
    const [type, , options = ""] = after.split(" ");
    if (type !== "cgroup" || !options.split(",").includes(controller)) continue;
    const own = groups
      .split("\n")
      .map((group) => /^\d+:([^:]*):(.*)$/.exec(group))
      .find((group) => group?.[1]?.split(",").includes(controller))?.[2];
    if (own === undefined) return undefined;
    // In a container the mount may show only what is below the container's own group.
    return resolve(mountPoint, `.${root !== "/" && own.startsWith(root) ? own.slice(root.length) : own}`);
  }
  return undefined;
}

/** Blanks and similar characters are written as octal numbers. */
function unescaped(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
