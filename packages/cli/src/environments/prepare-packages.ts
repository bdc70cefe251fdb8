import { SkillError } from "@skillwright/core";
import { type EnvironmentStore, workspaceManager } from "@skillwright/workspace";
import type { CliContext } from "../cli-context.js";
import { commandRuntime } from "../run/command-runtime.js";
import { openSkill } from "../skills/open-skill.js";
import { catalogNeeds, type NeededPackages } from "./skill-needs.js";

export interface PreparedPackages {
  readonly skill: string;
  readonly needs: readonly NeededPackages[];
  /** True where something is missing and nobody allowed to install it. */
  readonly refused: boolean;
}

/**
 * Prepares what a skill needs, if `yes`. Everything found that is not prepared is remarked.
 * @throws SkillError as `WorkspaceManager.run`.
 */
export async function preparePackages(
  name: string,
  { places, store, yes }: { places: readonly string[]; store: EnvironmentStore; yes: boolean },
  context: CliContext,
): Promise<PreparedPackages> {
  const { signal } = context;
  await using opened = await openSkill(name, places, context);
  const { skill, catalog } = opened;
  const place = { store: async () => store, env: context.env };
  const before = await catalogNeeds(skill, catalog, place);
  context.remark(...before.diagnostics.map(({ message, hint }) => `${message} ${hint}`));
  if (before.packages.length === 0) return { skill: skill.name, needs: [], refused: false };
  await using runtime = commandRuntime();
  await using workspaces = workspaceManager({
    skills: catalog,
    runtime,
    environments: store,
    destroyOnClose: true,
  });
  const { id } = await workspaces.create({ signal });
  let refused = false;
  const approveInstall = async () => {
    refused = !yes;
    return yes;
  };
  // The question is the same as that of any other run, and so is what an allowed one prepares.
  await workspaces
    .run(id, { skill: skill.name, command: "true" }, { signal, approveInstall })
    .catch((error: unknown) => {
      if (!refused || !SkillError.is(error, "REFUSED")) throw error;
    });
  const { packages } = await catalogNeeds(skill, catalog, place);
  return { skill: skill.name, needs: packages, refused };
}
