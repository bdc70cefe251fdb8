import type { CheckedRule } from "../lint-rule.js";
import type { LintSubject } from "../lint-subject.js";
import { skeleton } from "../skeleton.js";

/** A name has at most 64 characters. */
const MAX_COMPARED = 200;

/** SEC-02: a name that can be mistaken for another one. */
export const lookAlikeNames: CheckedRule = {
  id: "SEC-02",
  severity: "warning",
  title: "Name of mixed scripts, or one that looks like another name",
  help: "Write the name with the letters a to z, and choose one that cannot be confused with another skill.",
  *check(subject) {
    const { name, place } = nameOf(subject);
    const known = (subject.skill.knownNames ?? []).find(
      (other) => other !== name && seen(skeleton(other)) === seen(skeleton(name)),
    );
    const why = known === undefined ? lookAlike(name) : `looks like the name "${known}" of another skill`;
    if (why) yield { message: `The name "${name}" ${why}.`, ...place, shown: name };
  },
};

function nameOf({ header, skillText, skill }: LintSubject) {
  const entry = header.get("name");
  const written = entry?.text?.trim().slice(0, MAX_COMPARED);
  if (!written || !skillText) return { name: skill.directoryName.slice(0, MAX_COMPARED), place: {} };
  return {
    name: written,
    place: { path: skillText.path, line: entry?.line ?? 1, column: entry?.column ?? 1 },
  };
}

/** Digits are compared as the letters they resemble, but only against a known other name. */
function seen(name: string): string {
  return name.replaceAll("0", "o").replaceAll("1", "l");
}

function lookAlike(name: string): string | undefined {
  const scripts = scriptsOf(name);
  if (scripts.length > 1 && !scripts.every((script) => EAST_ASIAN.has(script)))
    return `mixes letters of different scripts (${scripts.join(", ")})`;
  const looks = skeleton(name);
  if (/[^a-z0-9-]/i.test(name) && /^[a-z0-9-]{2,}$/.test(looks) && /[^\p{ASCII}]/u.test(name))
    return `looks like "${looks}" and is written with other characters`;
  return undefined;
}

/** Scripts that are written together. */
const EAST_ASIAN = new Set(["Latin", "Han", "Hiragana", "Katakana", "Hangul", "Bopomofo"]);
const SCRIPTS = [
  ...[
    "Latin",
    "Cyrillic",
    "Greek",
    "Armenian",
    "Cherokee",
    "Coptic",
    "Georgian",
    "Hebrew",
    "Arabic",
    "Devanagari",
    "Thai",
  ],
  ...["Han", "Hiragana", "Katakana", "Hangul", "Bopomofo"],
].map((script) => ({ script, pattern: new RegExp(`(?=\\p{L})\\p{Script=${script}}`, "u") }));

function scriptsOf(name: string): readonly string[] {
  return SCRIPTS.filter(({ pattern }) => pattern.test(name)).map(({ script }) => script);
}
