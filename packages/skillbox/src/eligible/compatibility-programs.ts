import type { SkillFields } from "@skillwright/core";

/** Programs that can be recognised reliably in the free text of `compatibility`. */
const SPOKEN_OF: readonly { readonly text: RegExp; readonly program: string }[] = [
  { text: /\bpython ?3?\b/i, program: "python3" },
];

/**
 * Programs that the skill's `compatibility` mentions. Only Python is recognised, since other names have many meanings
 * in such text.
 */
export function compatibilityPrograms({ compatibility = "" }: SkillFields): readonly string[] {
  return SPOKEN_OF.filter(({ text }) => text.test(compatibility)).map(({ program }) => program);
}
