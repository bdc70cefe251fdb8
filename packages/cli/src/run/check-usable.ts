import { SkillError } from "@skillwright/core";
import type { SkillHost } from "@skillwright/skillbox";
import {
  eligibility,
  type IneligibilityReason,
  ineligibleDiagnostic,
  type JudgedSkill,
  neededPrograms,
  type SkillSettings,
} from "@skillwright/skillbox";

export interface UsableWith {
  readonly settings: SkillSettings;
  readonly host: SkillHost;
  /** Variables for the run in addition to those of the settings. */
  readonly variables: Readonly<Record<string, string>>;
}

/** @throws SkillError `UNSUPPORTED` with every reason why the skill cannot be used here, and the remedies. */
export async function checkUsable(
  skill: JudgedSkill,
  { settings, host, variables }: UsableWith,
): Promise<void> {
  const facts = await host.look(neededPrograms(skill.frontmatter));
  const reasons = eligibility(skill, facts, settings).reasons.flatMap((reason) => without(reason, variables));
  if (reasons.length === 0) return;
  const { message, hint } = ineligibleDiagnostic(skill, { eligible: false, reasons }, facts);
  const lacksVariable = reasons.some(({ kind }) => kind === "variable" || kind === "any-variable");
  const flag = lacksVariable ? " To set it for this run only, use --env NAME=value." : "";
  throw new SkillError("UNSUPPORTED", `Nothing was run. ${message} ${hint}${flag}`);
}

/** The rest of the reason, given these variables. */
function without(reason: IneligibilityReason, variables: UsableWith["variables"]): IneligibilityReason[] {
  const isGiven = (name: string) => Object.hasOwn(variables, name) && variables[name]?.trim() !== "";
  if (reason.kind === "any-variable") return reason.names.some(isGiven) ? [] : [reason];
  if (reason.kind !== "variable") return [reason];
  const names = reason.names.filter((name) => !isGiven(name));
  return names.length === 0 ? [] : [{ ...reason, names }];
}
