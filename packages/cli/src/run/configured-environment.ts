import { loadConfiguration } from "@skillwright/config";
import { skillVariables } from "@skillwright/core";
import { localHost } from "@skillwright/skillbox";
import type { SkillEnvironment } from "@skillwright/workspace";
import type { CliContext } from "../cli-context.js";

/** What is configured for a skill, for its own runs alone; what does not reach it is told on standard error. */
export async function configuredEnvironment(
  context: Pick<CliContext, "cwd" | "env" | "signal" | "remark">,
): Promise<SkillEnvironment> {
  const { cwd, env, signal, remark } = context;
  const { configuration } = await loadConfiguration({ cwd, env, signal });
  const host = localHost({ env });
  return async (skill) => {
    const facts = await host.look([]);
    const { variables, diagnostics } = skillVariables(skill, configuration.skills.settings, facts);
    remark(...diagnostics.map(({ message, hint }) => `${message} ${hint}`));
    return variables;
  };
}
