import type { CliContext } from "../cli-context.js";
import { configuredStore } from "../environments/configured-store.js";
import { catalogNeeds } from "../environments/skill-needs.js";
import { openSkill } from "../skills/open-skill.js";
import { skillText } from "./skill-text.js";

export interface InspectFlags {
  readonly skills?: readonly string[];
  readonly json?: true;
}

export async function inspectSkill(
  name: string,
  { skills = [], json }: InspectFlags,
  context: CliContext,
): Promise<void> {
  await using opened = await openSkill(name, skills, context);
  const place = { store: async () => (await configuredStore(context)).store, env: context.env };
  const found = await catalogNeeds(opened.skill, opened.catalog, place);
  const { diagnostics: problems, ...needs } = found;
  const skill = { ...opened.skill, diagnostics: [...opened.skill.diagnostics, ...problems] };
  if (json) context.printJson({ ...skill, ...needs });
  else context.print(...skillText(skill, needs, context.style));
}
