import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const CONTROLLERS = ["memory", "pids", "cpu"] as const;
export type Controller = (typeof CONTROLLERS)[number];

/** The control groups that a process is in. A machine has controllers in one unified hierarchy or in separate ones. */
export interface OwnGroups {
  /** Directories of the groups in the separate hierarchies of version 1. */
  readonly separate: ReadonlyMap<Controller, string>;
  /** The group in the hierarchy of version 2, where that has controllers. */
  readonly unified: UnifiedGroup | undefined;
}

export interface UnifiedGroup {
  /** Where the hierarchy is mounted. */
  readonly mountPoint: string;
  /** Path of the group below the mount point, such as `/system.slice/a.service`. */
  readonly name: string;
}

export const NO_GROUPS: OwnGroups = { separate: new Map(), unified: undefined };

/** The groups of the process whose directory in procfs is given. */
export function ownControlGroups(proc = "/proc/self"): OwnGroups {
  try {
    const mounts = mountsIn(readFileSync(`${proc}/mountinfo`, "utf8"));
    const groups = readFileSync(`${proc}/cgroup`, "utf8").split("\n");
    return { separate: separateGroups(mounts, groups), unified: unifiedGroup(mounts, groups) };
  } catch {
    return NO_GROUPS;
  }
}

/** Reads the names of controllers in a file such as `cgroup.controllers`. Empty if the file cannot be read. */
export function controllersIn(directory: string, file: string): readonly Controller[] {
  try {
    const names = readFileSync(join(directory, file), "utf8").trim().split(" ");
    return CONTROLLERS.filter((controller) => names.includes(controller));
  } catch {
    return [];
  }
}

interface Mount {
  readonly root: string;
  readonly mountPoint: string;
  readonly type: string;
  readonly options: readonly string[];
}

function mountsIn(mountinfo: string): readonly Mount[] {
  return mountinfo.split("\n").map((line) => {
    // See proc(5): root and mount point are the fourth and fifth fields; the options are at the end.
    const [before = "", after = ""] = line.split(" - ");
    const [, , , root = "", mountPoint = ""] = before.split(" ").map(unescaped);
    const [type = "", , options = ""] = after.split(" ");
    return { root, mountPoint, type, options: options.split(",") };
  });
}

/** Blanks and similar characters are written as octal numbers. */
function unescaped(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

function separateGroups(
  mounts: readonly Mount[],
  groups: readonly string[],
): ReadonlyMap<Controller, string> {
  const found = new Map<Controller, string>();
  for (const controller of CONTROLLERS) {
    const mount = mounts.find(({ type, options }) => type === "cgroup" && options.includes(controller));
    const name = mount && nameIn(mount, groups, (names) => names.split(",").includes(controller));
    const path = name && resolve(mount.mountPoint, `.${name}`);
    if (path && existsSync(join(path, "cgroup.procs"))) found.set(controller, path);
  }
  return found;
}

function unifiedGroup(mounts: readonly Mount[], groups: readonly string[]): UnifiedGroup | undefined {
  const mount = mounts.find(({ type }) => type === "cgroup2");
  if (!mount || controllersIn(mount.mountPoint, "cgroup.controllers").length === 0) return undefined;
  const name = nameIn(mount, groups, (names) => names === "");
  return name === undefined ? undefined : { mountPoint: mount.mountPoint, name };
}

/** The path of the group below the mount, which in a container may show only what is below the container's own group. */
function nameIn(
  { root }: Mount,
  groups: readonly string[],
  isIts: (controllers: string) => boolean,
): string | undefined {
  const own = groups
    .map((group) => /^\d+:([^:]*):(.*)$/.exec(group))
    .find((group) => group && isIts(group[1] ?? ""))?.[2];
  return own !== undefined && root !== "/" && own.startsWith(root) ? `/${own.slice(root.length + 1)}` : own;
}
