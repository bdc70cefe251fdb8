import { createHash } from "node:crypto";
import type { CatalogSkill, CatalogSnapshot, Diagnostic } from "@skillwright/core";
import { deepFreeze } from "@skillwright/core/adapter";
import { eligibility } from "./eligibility.js";
import type { HostFacts } from "./host-facts.js";
import { ineligibleDiagnostic } from "./ineligible-diagnostic.js";
import type { JudgedSkill, SkillSettings } from "./skill-settings.js";
import { skillVariables } from "./skill-variables.js";

interface Judgement {
  /** The reason why it is left out. */
  readonly problem?: Diagnostic;
  /** Configured variables that are not passed to it. */
  readonly remarks: readonly Diagnostic[];
}

export interface JudgedSkills {
  /** The snapshot without the skills that are left out. */
  readonly snapshot: CatalogSnapshot;
  /** Names and paths of all skills, left out or not. */
  readonly all: ReadonlySet<string>;
  /** The skills that are left out, by name and by path. */
  readonly hidden: ReadonlyMap<string, Judgement>;
}

export function judgedSkills(whole: CatalogSnapshot, host: HostFacts, settings: SkillSettings): JudgedSkills {
  const hidden = new Map<string, Judgement>();
  const skills: CatalogSkill[] = [];
  const told: Diagnostic[] = [];
  for (const skill of whole.skills) {
    const judgement = judgeSkill(skill, host, settings);
    told.push(...(judgement.problem ? [judgement.problem] : judgement.remarks));
    if (!judgement.problem) skills.push(skill);
    else for (const key of [skill.path, skill.name]) hidden.set(key, judgement);
  }
  // An offered skill is found by its name, even where a skill that is left out has that path.
  for (const { name } of skills) hidden.delete(name);
  return {
    snapshot: deepFreeze({
      ...whole,
      skills,
      diagnostics: [...whole.diagnostics, ...told],
      fingerprint: fingerprint(whole, told),
    }),
    all: new Set(whole.skills.flatMap(({ name, path }) => [name, path])),
    hidden,
  };
}

function judgeSkill(skill: JudgedSkill, host: HostFacts, settings: SkillSettings): Judgement {
  const answer = eligibility(skill, host, settings);
  if (!answer.eligible) return { problem: ineligibleDiagnostic(skill, answer, host), remarks: [] };
  return { remarks: skillVariables(skill, settings, host).diagnostics };
}

function fingerprint(whole: CatalogSnapshot, told: readonly Diagnostic[]): string {
  if (told.length === 0) return whole.fingerprint;
  const shaped = [whole.fingerprint, ...told.map(({ code, message }) => [code, message])];
  return createHash("sha256").update(JSON.stringify(shaped)).digest("hex");
}
