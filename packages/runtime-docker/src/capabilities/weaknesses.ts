import type { Diagnostic, RunLimits } from "@skillwright/core";
import type { ContainerWish } from "../container/container-options.js";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { gvisorLimits } from "./gvisor-limits.js";
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
  const { changeable, container, isGvisor, wish } = found;
  const asked = found.missing.filter((limit) => wish.asked.includes(limit));
  const defaults = found.missing.filter(
    (limit) => !wish.asked.includes(limit) && !(isGvisor && limit === "processes"),
  );
  const all: (Diagnostic | false)[] = [
    ...(isGvisor ? gvisorLimits(container.limits) : []),
    found.uid !== container.user.uid &&
      warning(
        "isolation.other-user",
        `Commands run as user ${found.uid} instead of the configured ${container.user.uid}.`,
      ),
    !found.noCapabilities &&
      warning("isolation.capabilities", "Commands keep capabilities, though all were dropped."),
    !found.noNewPrivileges &&
      warning(
        "isolation.new-privileges",
        "Commands can start set-user-ID programs, which have more privileges.",
      ),
    // The kernel of gVisor takes the place of the profile, which runsc does not apply.
    !found.filteredCalls &&
      !isGvisor &&
      warning(
        "isolation.no-seccomp",
        "No system-call filter is active.",
        "Use an engine with its default seccomp profile.",
      ),
    !found.systemReadOnly &&
      warning("isolation.writable-system", "Commands can write to the files of the image."),
    !found.skillsReadOnly && warning("isolation.writable-skills", "Commands can write to staged skills."),
    wish.network === "none" &&
      !found.onlyLoopback &&
      warning("isolation.network", "A network interface is visible although the network is off."),
    found.makesUserNamespaces &&
      info(
        "isolation.user-namespaces",
        "Commands can create user namespaces, which exposes more of the kernel to them. Podman's default profile allows it.",
        "Forbid it on the engine's host: sysctl user.max_user_namespaces=0 if nothing else needs them, or a stricter seccomp profile.",
      ),
    asked.length > 0 &&
      warning(
        "limit.not-enforced",
        `The limits ${asked.join(", ")} of the container do not seem to be enforced.`,
        "Use an engine that can set control groups (cgroups), not a rootless one without delegation.",
      ),
    defaults.length > 0 &&
      warning(
        "limit.default-not-enforced",
        `The default limits ${defaults.join(", ")} are not enforced: this engine, or storage on disk, does not support them.`,
        'diskBytes and inodes need storage: "memory"; the others need an engine that can set control groups (cgroups), not a rootless one without delegation.',
      ),
    !changeable &&
      info(
        "limit.fixed",
        "The limits of a container cannot be changed while it runs, so a run cannot set memoryBytes, cpu and processes.",
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
        "Workspaces are kept in memory: they are lost when the engine restarts.",
        'Use storage: "disk" to keep them; their size is then not limited.',
      ),
  ];
  return all.filter((one) => one !== false);
}

function warning(
  code: string,
  message: string,
  hint = "Check the configuration of the engine, or use another one.",
): Diagnostic {
  return { code, severity: "warning", message, hint };
}

function info(code: string, message: string, hint: string): Diagnostic {
  return { code, severity: "info", message, hint };
}
