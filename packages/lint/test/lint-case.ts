import { type LintedFile, type LintedSkill, type LintFinding, lintSkill } from "../src/index.js";

const HEADER =
  "---\nname: d\ndescription: Sums the columns of a CSV file, when the user asks for totals.\n---\n";
/** The line of SKILL.md on which a body begins. */
export const BODY = 5;

/** SKILL.md with a header that breaks no rule. */
export function skillFile(body: string): LintedFile {
  return { path: "SKILL.md", content: `${HEADER}${body}\n` };
}

/** A SKILL.md with these header lines. */
export function headed(...lines: string[]): LintedFile {
  return { path: "SKILL.md", content: `---\n${lines.join("\n")}\n---\n# Steps\n` };
}

export function lint(files: readonly LintedFile[], rest: Partial<LintedSkill> = {}): readonly LintFinding[] {
  return lintSkill({ directoryName: "d", files, ...rest });
}

/** The findings of one rule in a body, in short form: `warning 5: the excerpt`. */
export function inBody(rule: string, body: string): readonly string[] {
  return shown(rule, lint([skillFile(body)], { filesComplete: false }));
}

/** The findings of one rule in a script. */
export function inScript(rule: string, text: string, path = "scripts/run.sh"): readonly string[] {
  return shown(rule, lint([skillFile("# Steps"), { path, content: text }]));
}

export function shown(rule: string, findings: readonly LintFinding[]): readonly string[] {
  return findings
    .filter(({ code }) => code === rule)
    .map(({ severity, line, excerpt = "" }) => `${severity} ${line ?? "-"}: ${excerpt}`);
}
