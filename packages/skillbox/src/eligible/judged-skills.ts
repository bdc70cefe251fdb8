import { createHash } from "node:crypto";
import {
  type CatalogSkill,
  type CatalogSnapshot,
  type Diagnostic,
  deepFreeze,
  eligibility,
  type HostFacts,
  ineligibleDiagnostic,
  type JudgedSkill,
  type SkillSettings,
  skillVariables,
} from "@skillwright/core";

export interface Judgement {
  /** Why it is left out. */
  readonly problem?: Diagnostic;
  /** What of the configuration does not reach it. */
  readonly remarks: readonly Diagnostic[];
}

export interface JudgedSkills {
  /** Without what is left out. */
  readonly snapshot: CatalogSnapshot;
  /** The names and paths of all, left out or not. */
  readonly all: ReadonlySet<string>;
  /** Those that are left out, by name and by path. */
  readonly hidden: ReadonlyMap<string, Judgement>;
}

export function judgeSkill(skill: JudgedSkill, host: HostFacts, settings: SkillSettings): Judgement {
  const answer = eligibility(skill, host, settings);
  if (!answer.eligible) return { problem: ineligibleDiagnostic(skill, answer, host), remarks: [] };
  return { remarks: skillVariables(skill, settings, host).diagnostics };
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
  // A skill that is offered is found by its name, also where one that is left out has that path.
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

function fingerprint(whole: CatalogSnapshot, told: readonly Diagnostic[]): string {
  if (told.length === 0) return whole.fingerprint;
  const shaped = [whole.fingerprint, ...told.map(({ code, message }) => [code, message])];
  return createHash("sha256").update(JSON.stringify(shaped)).digest("hex");
}
