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
    "The command asked for the network, and its container has none. Make the Docker runtime with the option network (such " +
      "as bridge) and a workspace anew, or set bestEffort to run it without and be told so.",
  );
}

function cannotTurnOff(): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    "The network cannot be turned off for one command: its container has one. Make the Docker runtime without the option " +
      "network and a workspace anew, or set bestEffort to run it and be told so.",
  );
}

function open(unwanted: boolean): Diagnostic {
  return {
    code: "network.open",
    severity: unwanted ? "warning" : "info",
    message: "The command could use the network, because its container has one.",
    hint: "Make the Docker runtime without the option network to keep commands off it.",
  };
}

function none(): Diagnostic {
  return {
    code: "network.none",
    severity: "warning",
    message: "The command asked for the network, and its container has none.",
    hint: "Make the Docker runtime with the option network, and the workspace anew.",
  };
}
