import type { Controller } from "./control-group-hierarchies.js";

/** Why limits of control groups are not available, in the words used by diagnostics and errors. */
export interface NoGroups {
  /** Continues "The limit is not enforced: ". */
  readonly why: string;
  /** One or more sentences without the last full stop. */
  readonly remedy: string;
}

export const notMounted: NoGroups = {
  why: "no control groups with the controllers memory, pids and cpu are mounted here",
  remedy: "Mount them (`mount -t cgroup2 none /sys/fs/cgroup`), in a container from the host's",
};

export const onlyRoot: NoGroups = {
  why: "this machine has control groups of version 1, which only root can use",
  remedy:
    "Run the host process as root, or boot the machine with control groups of version 2 (`systemd.unified_cgroup_hierarchy=1`)",
};

export const noSupervisorForGroups: NoGroups = {
  why: "without the supervisor, commands join no control group",
  remedy: "See the diagnostic supervisor.missing",
};

export const noSandboxForGroups: NoGroups = {
  why: "commands are not in a sandbox",
  remedy: "Run commands in a sandbox",
};

/** @param code Error code of the system. */
export function notDelegated(group: string, code?: string): NoGroups {
  return {
    why: `this process may not create control groups below ${group}${code === undefined ? "" : ` (${code})`}`,
    remedy:
      "Run it in a service with Delegate=yes, as a user with a systemd user manager (`loginctl enable-linger USER`), or in a container " +
      "whose /sys/fs/cgroup it can write to",
  };
}

/** @param available The controllers of the group itself. */
export function notPassedOn(
  group: string,
  left: readonly Controller[],
  available: readonly Controller[],
): NoGroups {
  const names = left.join(", ");
  if (left.some((controller) => available.includes(controller)))
    return {
      why: `the kernel refused to pass the controllers ${names} on to groups below ${group}`,
      remedy:
        "Check that all processes of that group can be moved and that none runs in real time, or run the host process in a service with Delegate=yes",
    };
  return {
    why: `the controllers ${names} were not delegated to ${group}`,
    remedy: `Delegate them: \`systemctl edit ${unitOfGroup(group)}\` with \`[Service]\` and \`Delegate=cpu memory pids\``,
  };
}

/** The unit that delegates controllers to the group: a service, or the managers of all users. */
function unitOfGroup(group: string): string {
  const services = group.split("/").filter((part) => part.endsWith(".service"));
  const [first = "user@.service"] = services;
  return first.startsWith("user@") ? "user@.service" : first;
}

/** @param said What `systemd-run` printed. */
export function noScope(said: string): NoGroups {
  return {
    why: `systemd gave no scope to this process (${said.trim().split("\n").at(-1)?.slice(0, 300) || "it printed no reason"})`,
    remedy:
      "Start the manager of this user (`loginctl enable-linger USER`), or run the host process in a service with Delegate=yes",
  };
}
