import { shownText, visibleText } from "@skillwright/core/adapter";
import { excerpt } from "./excerpt.js";
import type { LintedSkill, LintFinding } from "./lint-finding.js";
import type { CheckedRule, LintHit } from "./lint-rule.js";
import { checkedRules, MORE } from "./lint-rules.js";
import { type LintSubject, lintSubject } from "./lint-subject.js";
import { maskSecrets } from "./mask-secrets.js";

const MAX_OF_A_RULE = 20;

/**
 * Checks a skill for security problems that skill scanners report (SEC-01 to SEC-24), and for length. Pure: nothing is
 * read, run or fetched. Never throws; runs in time linear in the text.
 *
 * Findings are sorted by path (those about the whole skill and SKILL.md first), then by line, column and code. One rule
 * reports at most 20 findings per file, plus one `lint.more` with the number of the others. Binary files are judged by
 * name, size and first bytes only. It does not check whether SKILL.md is valid; see `validateSkill`. A clean result is
 * no proof of safety: text matching finds known and careless attacks. Isolation is the defence.
 */
export function lintSkill(skill: LintedSkill): readonly LintFinding[] {
  const subject = lintSubject(skill);
  const skillPath = subject.skillText?.path;
  const rank = ({ path = "" }: LintFinding) => (path === skillPath ? "" : path);
  return checkedRules
    .flatMap((rule) => [...findingsOf(rule, subject)])
    .sort(
      (a, b) =>
        order(rank(a), rank(b)) ||
        (a.line ?? 0) - (b.line ?? 0) ||
        (a.column ?? 0) - (b.column ?? 0) ||
        order(a.code, b.code),
    );
}

function* findingsOf(rule: CheckedRule, subject: LintSubject): Generator<LintFinding, void, undefined> {
  const files = new Map<string | undefined, Map<string, LintHit>>();
  for (const hit of rule.check(subject)) {
    const hits = files.get(hit.path) ?? new Map<string, LintHit>();
    files.set(hit.path, hits);
    const place = `${hit.line} ${hit.column} ${hit.line === undefined ? hit.message : ""}`;
    if (!hits.has(place)) hits.set(place, hit);
  }
  for (const hits of files.values()) {
    const sorted = [...hits.values()].sort(
      (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
    );
    for (const hit of sorted.slice(0, MAX_OF_A_RULE)) yield finding(rule, hit, subject);
    const next = sorted[MAX_OF_A_RULE];
    if (next) yield more(rule, next, sorted.length - MAX_OF_A_RULE);
  }
}

function finding(rule: CheckedRule, hit: LintHit, { texts }: LintSubject): LintFinding {
  const { message, severity = rule.severity, path, line, column, shown } = hit;
  const raw = shown ?? (line && texts.find((text) => text.path === path)?.line(line));
  return {
    code: rule.id,
    severity,
    message: visibleText(maskSecrets(message)),
    hint: rule.help,
    ...(path !== undefined && { path: shownText(path) }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    ...(raw && { excerpt: excerpt(raw, shown === undefined ? column : 1) }),
  };
}

function more(rule: CheckedRule, { path, line }: LintHit, count: number): LintFinding {
  return {
    code: MORE.id,
    severity: MORE.severity,
    message: `${count} more of ${rule.id} ${count === 1 ? "is" : "are"} not listed.`,
    hint: MORE.help,
    ...(path !== undefined && { path: shownText(path) }),
    ...(line !== undefined && { line }),
  };
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
