import { type Diagnostic, SkillError } from "@skillwright/core";
import type { RunCommand } from "@skillwright/core/adapter";

/**
 * Network access of a container is fixed; no run can change it.
 * @throws SkillError `UNSUPPORTED` where the command requested the other setting.
 */
export function checkNetwork(
  { network, bestEffort }: Pick<RunCommand, "network" | "bestEffort">,
  hasNetwork: boolean,
): readonly Diagnostic[] {
  if (network === hasNetwork || (network === undefined && !hasNetwork)) return [];
  if (network !== undefined && !bestEffort) throw hasNetwork ? cannotTurnOff() : hasNone();
  return [hasNetwork ? open(network === false) : none()];
}

function hasNone(): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    "The command requested the network, but its container has none. Create the Docker runtime with the option network (such " +
      "as bridge) and a new workspace, or set bestEffort to run it without and get a diagnostic.",
  );
}

function cannotTurnOff(): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    "The network cannot be turned off for one command, because its container has one. Create the Docker runtime without the option " +
      "network and a new workspace, or set bestEffort to run it anyway and get a diagnostic.",
  );
}

function open(unwanted: boolean): Diagnostic {
  return {
    code: "network.open",
    severity: unwanted ? "warning" : "info",
    message: "The command could use the network, because its container has one.",
    hint: "Create the Docker runtime without the option network to deny commands the network.",
  };
}

function none(): Diagnostic {
  return {
    code: "network.none",
    severity: "warning",
    message: "The command requested the network, but its container has none.",
    hint: "Create the Docker runtime with the option network, and a new workspace.",
  };
}
