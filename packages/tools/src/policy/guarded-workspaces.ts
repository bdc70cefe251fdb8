import type {
  Diagnostic,
  SkillCatalog,
  WorkspaceRun,
  WorkspaceRunOptions,
  Workspaces,
} from "@skillwright/core";
import { delegate } from "./delegate.js";
import { checkPolicyEnvironment } from "./policy-environment.js";
import { skillNeeds } from "./skill-needs.js";

/**
 * The workspaces, whose runs are checked first: that the call's variables do not undo the policy, where there is one, and
 * that what the skill declares it needs is there.
 */
export function guardedWorkspaces(
  workspaces: Workspaces,
  { skills, policy }: { skills: SkillCatalog; policy: boolean },
): Workspaces {
  const needs = skillNeeds({ skills, workspaces });
  const { start } = workspaces;

  async function check(
    id: string,
    wanted: WorkspaceRun,
    options: WorkspaceRunOptions,
  ): Promise<readonly Diagnostic[]> {
    if (policy) checkPolicyEnvironment(wanted.env);
    return await needs.check(id, wanted, options);
  }

  const run: Workspaces["run"] = async (id, wanted, options = {}) => {
    const diagnostics = await check(id, wanted, options);
    const result = await workspaces.run(id, wanted, options);
    return diagnostics.length === 0
      ? result
      : { ...result, diagnostics: [...diagnostics, ...result.diagnostics] };
  };

  const startChecked: Workspaces["start"] =
    start &&
    (async (id, wanted, options = {}) => {
      await check(id, wanted, options);
      return await start.call(workspaces, id, wanted, options);
    });

  return delegate(workspaces, { run, ...(startChecked && { start: startChecked }) });
}
