import { type CatalogSkill, type Diagnostic, skillFields } from "@skillwright/core";

/** As in OpenClaw. */
const MAX_MENTIONS = 8;

/**
 * The skills that a message mentions as `$name`, in the order of their first mention, at most 8; further ones are
 * reported by `mentions.cut`. Only skills that people may start count, by their exact names of letters, digits, `-` and
 * `_`. A `$` after a word, `$` or `\`, and everything in Markdown code, is text; so is every other word, such as `$5`.
 */
export function mentionedSkills(
  message: string,
  skills: readonly CatalogSkill[],
): { readonly names: readonly string[]; readonly diagnostics: readonly Diagnostic[] } {
  const written = new Set([...message.replace(CODE, " ").matchAll(MENTION)].map(([, name = ""]) => name));
  if (written.size === 0) return { names: [], diagnostics: [] };
  const known = new Set(skills.filter(mayBeStarted).map(({ name }) => name));
  const all = [...written].filter((name) => known.has(name));
  const names = all.slice(0, MAX_MENTIONS);
  const cut = all.slice(MAX_MENTIONS);
  return { names, diagnostics: cut.length === 0 ? [] : [cutDiagnostic(cut)] };
}

const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;
const MENTION = /(?<![\p{L}\p{N}_$\\])\$([\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?)/gu;

function mayBeStarted({ frontmatter }: CatalogSkill): boolean {
  return skillFields(frontmatter).userInvocable;
}

function cutDiagnostic(names: readonly string[]): Diagnostic {
  return {
    code: "mentions.cut",
    severity: "warning",
    message: `A message loads at most ${MAX_MENTIONS} mentioned skills; not loaded: ${names.join(", ")}.`,
    hint: "Mention them in another message.",
  };
}
