import { type CatalogSkill, type CatalogSnapshot, type Diagnostic, skillFields } from "@skillwright/core";
import { listableSkills } from "../overview/listable-skills.js";
import type { SkillContext } from "../skill-context.js";
import { triggerReason } from "./trigger-reason.js";

const MAX_TRIGGERS = 32;

export interface TriggeredSkill {
  readonly skill: CatalogSkill;
  /** The matching part of the request in words: `the word "report"`, `the file a.csv`. */
  readonly because: string;
}

export interface TriggerResult {
  readonly triggered: readonly TriggeredSkill[];
  /** Skills without triggers; only the model chooses them. */
  readonly untriggered: readonly CatalogSkill[];
  /**
   * `trigger.unknown` for a trigger that cannot be interpreted, `trigger.untrusted` for a skill that must be approved
   * first.
   */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The skills whose triggers match the request, in the order of the overview. An untrusted skill triggers nothing, and
 * no trigger names a skill that only people may start.
 */
export function triggeredSkills(snapshot: CatalogSnapshot, context: SkillContext): TriggerResult {
  const triggered: TriggeredSkill[] = [];
  const untriggered: CatalogSkill[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const skill of listableSkills(snapshot)) {
    const triggers = skillFields(skill.frontmatter).triggers.slice(0, MAX_TRIGGERS);
    if (triggers.length === 0) untriggered.push(skill);
    else if (!skill.trusted) diagnostics.push(untrusted(skill));
    else {
      const verdicts = triggers.map((trigger) => ({ trigger, verdict: triggerReason(trigger, context) }));
      const fits = verdicts.flatMap(({ verdict }) => (typeof verdict === "object" ? [verdict] : []))[0];
      if (fits) triggered.push({ skill, because: fits.because });
      for (const { trigger, verdict } of verdicts)
        if (verdict === "unknown") diagnostics.push(unknown(skill, trigger.type));
    }
  }
  return { triggered, untriggered, diagnostics };
}

function untrusted({ name }: CatalogSkill): Diagnostic {
  return {
    code: "trigger.untrusted",
    severity: "info",
    message: `The triggers of "${name}" have no effect, because its source is not trusted.`,
    hint: "Approve the skill first; until then it can be loaded by name.",
  };
}

function unknown({ name }: CatalogSkill, type: string): Diagnostic {
  return {
    code: "trigger.unknown",
    severity: "warning",
    message: `A trigger of "${name}" (${JSON.stringify(type.slice(0, 40))}) cannot be used.`,
    hint: "Use keyword, command, file_pattern, context (during /name, key=value) or always; at most three * in a part of a path.",
  };
}
