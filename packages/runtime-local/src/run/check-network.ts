import { type Diagnostic, SkillError } from "@skillwright/core";
import type { RunCommand } from "@skillwright/core/adapter";

/**
 * Without isolation, a command's network access cannot be turned off.
 * @throws SkillError `UNSUPPORTED` where it was requested to be off.
 */
export function checkNetwork({ network, bestEffort }: RunCommand): readonly Diagnostic[] {
  if (network === true) return [];
  if (network === false && !bestEffort)
    throw new SkillError(
      "UNSUPPORTED",
      "The network cannot be turned off for a command that is not isolated. Run it in a sandbox, allow the network, or " +
        "set bestEffort to run it anyway and get a diagnostic.",
    );
  return [
    {
      code: "network.open",
      severity: network === false ? "warning" : "info",
      message: "The command could use the network, because nothing isolates it.",
      hint: "Run it in a sandbox to deny it the network.",
    },
  ];
}
