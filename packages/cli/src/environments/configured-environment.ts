import { type SkillHost, type SkillSettings, skillVariables } from "@skillwright/skillbox";
import type { SkillEnvironment } from "@skillwright/workspace";
import type { CliContext } from "../cli-context.js";

/**
 * The configured variables for a skill's own runs. Variables that are not passed to it are reported on standard error.
 */
export function configuredEnvironment(
  settings: SkillSettings,
  host: SkillHost,
  { remark }: Pick<CliContext, "remark">,
): SkillEnvironment {
  return async (skill) => {
    const { variables, diagnostics } = skillVariables(skill, settings, await host.look([]));
    remark(...diagnostics.map(({ message, hint }) => `${message} ${hint}`));
    return variables;
  };
}
