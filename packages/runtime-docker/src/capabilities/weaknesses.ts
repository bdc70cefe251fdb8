import type { Diagnostic, RunLimits } from "@skillwright/core";
import type { ContainerWish } from "../container/container-options.js";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import type { Measured } from "./measured.js";

export interface Weighed extends Measured {
  /** Limits of the workspace that are not enforced. */
  readonly missing: readonly (keyof RunLimits)[];
  /** True where a container's limits can be tightened while it runs. */
  readonly changeable: boolean;
  readonly container: WorkspaceContainer;
  readonly wish: ContainerWish;
}

/** Reports what is weaker than requested, and what a user should know about the image and the engine. */
export function weaknesses(found: Weighed): Diagnostic[] {
  const { changeable, container, wish } = found;
  const asked = found.missing.filter((limit) => wish.asked.includes(limit));
  const defaults = found.missing.filter((limit) => !wish.asked.includes(limit));
  const all: (Diagnostic | false)[] = [
    found.uid !== container.user.uid &&
      warning(
        "isolation.other-user",
        `Commands run as user ${found.uid}, not as ${container.user.uid} as asked for.`,
      ),
    !found.noCapabilities &&
      warning("isolation.capabilities", "Commands keep capabilities, though all were dropped."),
    !found.noNewPrivileges &&
      warning("isolation.new-privileges", "Programs with more rights than the command could be started."),
    !found.filteredCalls &&
      warning(
        "isolation.no-seccomp",
        "No filter of system calls is seen.",
        "Use an engine with its default seccomp profile.",
      ),
    container.filter === undefined &&
      warning(
        "isolation.no-filter",
        "Commands may make every system call that the engine's own profile leaves to them, such as ptrace: no program that refuses more runs in this image.",
        "Use an image for Linux on x64 or arm64, on a kernel with seccomp filters, and make the workspace anew.",
      ),
    !found.systemReadOnly && warning("isolation.writable-system", "The image's own files can be written to."),
    !found.skillsReadOnly && warning("isolation.writable-skills", "Staged skills can be written to."),
    wish.network === "none" &&
      !found.onlyLoopback &&
      warning("isolation.network", "A network can be seen, though it is off."),
    found.makesUserNamespaces &&
      info(
        "isolation.user-namespaces",
        "Commands may make user namespaces, which opens more of the kernel to them. Podman's default profile allows it.",
        "Forbid it on the engine's machine: sysctl user.max_user_namespaces=0 where nothing else needs them, or a stricter seccomp profile.",
      ),
    asked.length > 0 &&
      warning(
        "limit.not-enforced",
        `The limits ${asked.join(", ")} of the container are not seen to be in force.`,
        "Use an engine that may set control groups (cgroups), not a rootless one without delegation.",
      ),
    defaults.length > 0 &&
      warning(
        "limit.default-not-enforced",
        `Workspaces are not held to the default limits ${defaults.join(", ")}: this engine, or storage on disk, has no means for them.`,
        'diskBytes and inodes need storage: "memory"; the others need an engine that may set control groups (cgroups), not a rootless one without delegation.',
      ),
    !changeable &&
      info(
        "limit.fixed",
        "The engine does not change a container's limits while it runs, so memoryBytes, cpu and processes cannot be asked for by a run.",
        "Set them as options of the runtime.",
      ),
    !container.isBash &&
      info(
        "shell.no-bash",
        `The image has no bash; commands run in ${container.shell}.`,
        "Choose an image with bash for skills that need it.",
      ),
    wish.storage === "memory" &&
      info(
        "storage.memory",
        "Workspaces are kept in memory: they are gone when the engine restarts.",
        'Use storage: "disk" to keep them; nothing bounds their size then.',
      ),
  ];
  return all.filter((one) => one !== false);
}

function warning(
  code: string,
  message: string,
  hint = "See how the engine is set up, or use another one.",
): Diagnostic {
  return { code, severity: "warning", message, hint };
}

function info(code: string, message: string, hint: string): Diagnostic {
  return { code, severity: "info", message, hint };
}
