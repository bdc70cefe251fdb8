import type { Severity } from "@skillwright/core";
import type { LineContext } from "./line-contexts.js";
import type { CheckedRule, LintHit, LintRule } from "./lint-rule.js";
import type { LintedText } from "./linted-text.js";
import { isComment, isQuoted, isWarnedAgainst } from "./spoken-of.js";
import { type TextWindow, textWindows } from "./text-windows.js";

/** Something to search for in the lines of a skill. */
export interface LinePattern {
  /** Lower-case words. Every match of the pattern contains one of them or is next to one. */
  readonly words: readonly string[];
  /** Every repetition is bounded or unambiguous, so that matching takes linear time. */
  readonly pattern: RegExp;
  /** What was found, as the start of a sentence without a full stop. */
  readonly says: string;
  /** Replaces the rule's severity. */
  readonly severity?: Severity;
  /** The lines to search; all by default. */
  readonly within?: readonly LineContext[];
  /**
   * True for instructions to the model. Quoted text only mentions such words, and a comment in code does not address
   * the model.
   */
  readonly quotable?: boolean;
  /** Final check of a match, with the whole window available. */
  readonly accept?: (match: RegExpExecArray, window: TextWindow) => boolean;
}

/** Number of matches in one window that a pattern may reject before it gives up. */
const MAX_TRIES = 50;

/** Creates a rule from a list of patterns. */
export function patternRule(rule: LintRule & { readonly patterns: readonly LinePattern[] }): CheckedRule {
  const { id, severity, title, help, patterns } = rule;
  return {
    id,
    severity,
    title,
    help,
    *check({ texts }) {
      for (const file of texts) yield* patternHits(file, severity, patterns);
    },
  };
}

/**
 * Returns at most one hit per line: the highest severity, then the first pattern. The severity is lowered to info where
 * the text warns against the match, quotes it, or is a comment in a script.
 */
export function patternHits(
  file: LintedText,
  usual: Severity,
  patterns: readonly LinePattern[],
): Iterable<LintHit> {
  const hits = new Map<number, LintHit & { readonly severity: Severity }>();
  for (const pattern of patterns) {
    const search = new RegExp(pattern.pattern, `${pattern.pattern.flags.replace("g", "")}g`);
    for (const window of textWindows(file, pattern.words)) {
      if (pattern.within?.includes(window.context) === false) continue;
      const match = firstMatch(window, search, pattern.accept);
      if (!match) continue;
      const place = window.place(match.index);
      const spokenOf =
        isWarnedAgainst(window, match.index) ||
        (pattern.quotable ? isQuoted(window, match) : isComment(window));
      const severity = spokenOf ? "info" : (pattern.severity ?? usual);
      const known = hits.get(place.line);
      if (!known || (known.severity === "info" && severity !== "info"))
        hits.set(place.line, { message: `${pattern.says}.`, severity, path: file.path, ...place });
    }
  }
  return hits.values();
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
