import { type SkillSettings, skillVariables } from "@skillwright/core";
import type { SkillHost } from "@skillwright/skillbox";
import type { SkillEnvironment } from "@skillwright/workspace";
import type { CliContext } from "../cli-context.js";

/** What is configured for a skill, for its own runs alone; what does not reach it is told on standard error. */
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
