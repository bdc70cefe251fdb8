import type { Severity } from "../diagnostic.js";
import type { LineContext } from "./line-contexts.js";
import type { CheckedRule, LintHit, LintRule } from "./lint-rule.js";
import type { LintedText } from "./linted-text.js";
import { type TextWindow, textWindows } from "./text-windows.js";

/** Something to look for in the lines of a skill. */
export interface LinePattern {
  /** In lower case. Of these, one stands in whatever the pattern matches, or right beside it. */
  readonly words: readonly string[];
  /** Repetition is bounded or cannot be split in two ways, so that it takes linear time. */
  readonly pattern: RegExp;
  /** What was found, as the start of a sentence without its full stop. */
  readonly says: string;
  /** In place of the rule's. */
  readonly severity?: Severity;
  /** The lines it is for; all by default. */
  readonly within?: readonly LineContext[];
  /** Has the last word, with all of the window at hand. */
  readonly accept?: (match: RegExpExecArray, window: TextWindow) => boolean;
}

/** How many places of one window a pattern may refuse before it gives up. */
const MAX_TRIES = 50;

/** A rule that is a list of patterns. A line that warns against the thing is not one that does it: it only informs. */
export function patternRule(rule: LintRule & { readonly patterns: readonly LinePattern[] }): CheckedRule {
  const { id, severity, title, help, patterns } = rule;
  return {
    id,
    severity,
    title,
    help,
    *check({ texts }) {
      for (const file of texts) for (const pattern of patterns) yield* patternHits(file, pattern);
    },
  };
}

/** One hit a line at most. */
export function* patternHits(file: LintedText, pattern: LinePattern): Generator<LintHit, void, undefined> {
  const lines = new Set<number>();
  const search = new RegExp(pattern.pattern, `${pattern.pattern.flags.replace("g", "")}g`);
  for (const window of textWindows(file, pattern.words)) {
    if (lines.has(window.line) || pattern.within?.includes(window.context) === false) continue;
    const match = firstMatch(window, search, pattern.accept);
    if (!match) continue;
    lines.add(window.line);
    const severity = isWarnedAgainst(window, match.index) ? "info" : pattern.severity;
    yield {
      message: `${pattern.says}.`,
      ...(severity && { severity }),
      path: file.path,
      line: window.line,
      column: window.offset + match.index + 1,
    };
  }
}

function firstMatch(
  window: TextWindow,
  search: RegExp,
  accept: LinePattern["accept"],
): RegExpExecArray | undefined {
  search.lastIndex = 0;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const match = search.exec(window.text);
    if (!match || match.index >= window.own) return undefined;
    if (accept?.(match, window) ?? true) return match;
    search.lastIndex = match.index + 1;
  }
  return undefined;
}

const WARNING =
  /\b(?:never|do not|don't|must not|should not|avoid|refuse|reject|forbid(?:den)?|block(?:s|ed)?|den(?:y|ied)|dangerous|insecure|unsafe|malicious|detect(?:s|ed|ion)?|flag(?:s|ged)?)\b|\u274c|\u2717/i;

function isWarnedAgainst({ text, context }: TextWindow, at: number): boolean {
  return (context === "prose" || context === "header") && WARNING.test(text.slice(Math.max(0, at - 120), at));
}
