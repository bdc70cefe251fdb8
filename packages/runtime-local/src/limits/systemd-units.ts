import { existsSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../host/find-program.js";
import { runTool, TOOL_ENVIRONMENT } from "../host/run-tool.js";
import type { UnifiedGroup } from "./control-group-hierarchies.js";

/** The service or scope of systemd that a process is in. */
export interface Unit {
  readonly name: string;
  /** Directory of its control group. */
  readonly directory: string;
  /** The slice that it is in. */
  readonly slice: string | undefined;
  /** The user whose own manager it belongs to; `undefined` for the machine's manager. */
  readonly managerOf: number | undefined;
}

/** The questions that are put to systemd. */
export interface Systemd {
  /** True where it manages the control groups of this machine. */
  isRunning(): boolean;
  /** True where the unit was declared with `Delegate=`. */
  delegates(unit: Unit): Promise<boolean>;
  /** Absolute path of `systemd-run`. */
  runner(): Promise<string | undefined>;
}

export const ownSystemd: Systemd = {
  isRunning: () => existsSync("/run/systemd/system"),
  delegates: async ({ name, managerOf }) => {
    const program = await findProgram("systemctl");
    if (program === undefined) return false;
    const manager = managerOf === undefined ? [] : ["--user"];
    const wanted = [...manager, "show", "--property=Delegate", "--value", "--", name];
    const { stdout } = await runTool(program, wanted, { env: systemdEnvironment() });
    return stdout.trim() === "yes";
  },
  runner: () => findProgram("systemd-run"),
};

/** The variables by which programs of systemd find the manager of this user, also outside a login session. */
export function systemdEnvironment(): Readonly<Record<string, string>> {
  const directory = process.env["XDG_RUNTIME_DIR"] ?? `/run/user/${process.geteuid?.()}`;
  return { ...TOOL_ENVIRONMENT, XDG_RUNTIME_DIR: directory };
}

/** Returns the unit of a group, or `undefined` if the group belongs to no unit. */
export function unitOf({ mountPoint, name }: UnifiedGroup): Unit | undefined {
  const parts = name.split("/").filter(Boolean);
  const manager = parts.findIndex((part) => /^user@\d+\.service$/.test(part));
  const unit = parts.findIndex((part, at) => at > manager && /\.(service|scope)$/.test(part));
  if (unit < 0) return undefined;
  const slices = parts.slice(manager + 1, unit).filter((part) => part.endsWith(".slice"));
  return {
    name: parts[unit] ?? "",
    directory: join(mountPoint, ...parts.slice(0, unit + 1)),
    slice: slices.at(-1),
    managerOf: manager < 0 ? undefined : Number(/\d+/.exec(parts[manager] ?? "")?.[0]),
  };
}
