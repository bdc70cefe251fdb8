import type { Severity } from "../diagnostic.js";
import type { LineContext } from "./line-contexts.js";
import type { CheckedRule, LintHit, LintRule } from "./lint-rule.js";
import type { LintedText } from "./linted-text.js";
import { isComment, isQuoted, isWarnedAgainst } from "./spoken-of.js";
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
  /** True for words to the model: in quotation marks they are only spoken of, in a comment of code they are not. */
  readonly quotable?: boolean;
  /** Has the last word, with all of the window at hand. */
  readonly accept?: (match: RegExpExecArray, window: TextWindow) => boolean;
}

/** How many places of one window a pattern may refuse before it gives up. */
const MAX_TRIES = 50;

/** A rule that is a list of patterns. */
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
 * At most one hit a line, of the strongest level and the pattern that comes first. Where the thing is warned against,
 * quoted, or stands in a comment of a script, it only informs.
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
