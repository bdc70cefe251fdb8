import type { SkillFields } from "../skill/fields/skill-fields.js";

/** What can be told from the free text of `compatibility` without guessing much. */
const SPOKEN_OF: readonly { readonly text: RegExp; readonly program: string }[] = [
  { text: /\bpython ?3?\b/i, program: "python3" },
];

/** Programs that the skill's `compatibility` speaks of: Python only, since other names stand there for many things. */
export function compatibilityPrograms({ compatibility = "" }: SkillFields): readonly string[] {
  return SPOKEN_OF.filter(({ text }) => text.test(compatibility)).map(({ program }) => program);
}
