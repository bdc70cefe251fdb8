import { htmlComments } from "../html-comments.js";
import type { CheckedRule } from "../lint-rule.js";
import { type LinePattern, patternHits } from "../pattern-rule.js";
import type { TextWindow } from "../text-windows.js";

const OVERRIDE = "The text tells the model to ignore its instructions";
const CONCEAL = "The text tells the model to hide something from the user";
const UNBIND = "The text tells the model that its limits do not apply";

const PATTERNS: readonly LinePattern[] = [
  {
    words: ["ignore", "disregard", "forget", "override", "bypass"],
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass)\s{1,3}(?:(?:all|any|the|your|my|of|these|those|every)\s{1,3}){0,4}(?:(?:previous|prior|above|earlier|preceding|existing|system|safety|original|initial|content|ethical|other)\s{1,3}(?:and\s{1,3})?){1,3}(?:instructions?|prompts?|rules?|guidelines?|guardrails?|directives?|polic(?:y|ies)|restrictions?|messages?|training)\b/gi,
    says: OVERRIDE,
    quotable: true,
  },
  {
    words: [
      "system override",
      "unrestricted",
      "developer mode",
      "jailbr",
      "god mode",
      "no restrictions",
      "without restrictions",
      "content policy",
      "safety guidelines",
      "do anything now",
    ],
    pattern:
      /\bsystem override\s?[:!]|\byou are (?:now )?(?:in )?(?:an? )?(?:unrestricted|jailbroken|unfiltered|uncensored)\b|\b(?:you are (?:now )?in|enter|enable|activate)\s{1,3}(?:\w{1,12}\s{1,3}){0,2}(?:developer|god|dan|debug|jailbreak|unrestricted) mode\b|\byou (?:now )?(?:have|are under) no restrictions\b|\bregardless of (?:any |the |your )?(?:content polic|safety|restrictions)|\bact as (?:an? )?(?:unrestricted|jailbroken)\b/gi,
    says: UNBIND,
    quotable: true,
  },
  {
    words: ["prompt", "instructions"],
    pattern:
      /\b(?:reveal|print|output|repeat|show|leak|disclose|dump)\s{1,3}(?:me\s{1,3})?(?:your|the)\s{1,3}(?:full\s{1,3}|entire\s{1,3}|complete\s{1,3}|hidden\s{1,3}|original\s{1,3}){0,2}(?:system|hidden|initial)\s{1,3}(?:prompt|instructions)\b/gi,
    says: "The text asks for the system prompt",
    quotable: true,
  },
  {
    words: ["user", "human", "anyone"],
    pattern:
      /\b(?:do not|don't|never|must not)\s{1,3}(?:tell|inform|mention|reveal|disclose|notify|alert|let)\b[^.!?]{0,60}?\b(?:the |your |our )?(?:users?|humans?|anyone|operator)\b/gi,
    says: CONCEAL,
    accept: isConcealment,
    quotable: true,
  },
  {
    words: ["without"],
    pattern:
      /\b(?:run|send|execute|upload|install|copy|read|collect|include|proceed|perform|do (?:this|so|it))\b[^.!?]{0,80}?\bwithout\s{1,3}(?:ever\s{1,3})?(?:telling|informing|notifying|alerting|mentioning|showing)\b[^.!?]{0,24}?\b(?:the |your )?(?:users?|humans?|operator)\b/gi,
    within: ["prose", "header"],
    says: CONCEAL,
    accept: ({ index, 0: match }, { text }) =>
      !/\b(?:not|never|don't|can't|cannot|won't|avoid|no)\b/i.test(
        text.slice(Math.max(0, index - 120), index + match.length),
      ),
  },
  {
    words: ["hidden", "secret", "invisible", "hide", "conceal", "notice", "covert"],
    pattern:
      /\b(?:keep|make|hide|conceal)\s{1,3}(?:this|that|it|these|the\s{1,3}(?:above|following|fact)|your\s{1,3}\w{1,12})\b[^.!?]{0,40}?\b(?:(?:hidden|secret|invisible|private)\s{1,3}from|from)\s{1,3}(?:the\s{1,3})?(?:users?|humans?)\b|\bkeep this (?:behaviou?r |rule |instruction )?(?:hidden|secret)\b|\bso (?:that )?(?:the )?users? (?:does not|doesn't|do not|don't|won't|will not|cannot|can't|never) (?:notice|realise|realize|suspect|find out)\b|\b(?:covertly|secretly)\s{1,3}(?:send|upload|run|execute|read|collect|copy|add|insert|include|log|record)\b/gi,
    says: CONCEAL,
  },
  {
    words: ["\u5ffd\u7565", "\u65e0\u89c6", "\u7121\u8996", "\u7121\u8996\u3057"],
    pattern:
      /(?:\u5ffd\u7565|\u65e0\u89c6|\u7121\u8996)[^\n\u3002]{0,8}(?:\u4e4b\u524d|\u4ee5\u4e0a|\u5148\u524d|\u524d\u9762|\u4e0a\u8ff0|\u6240\u6709)[^\n\u3002]{0,8}(?:\u6307\u4ee4|\u6307\u793a|\u63d0\u793a|\u89c4\u5219|\u547d\u4ee4)/g,
    says: OVERRIDE,
  },
  {
    words: ["\u4e0d\u8981", "\u522b", "\u4e0d\u5f97", "\u7981\u6b62"],
    pattern:
      /(?:\u4e0d\u8981|\u522b|\u4e0d\u5f97|\u7981\u6b62)(?:\u544a\u8bc9|\u901a\u77e5|\u8ba9)\u7528\u6237(?!.{0,6}[?\uff1f])/g,
    says: CONCEAL,
  },
  {
    words: ["ignora", "ignorez", "ignoriere", "\u0438\u0433\u043d\u043e\u0440\u0438\u0440"],
    pattern:
      /\b(?:ignora|ignorez|ignoriere)\s[^.!?]{0,30}?\b(?:instruc\w{1,8}|anweisung\w{0,4}|r[e\u00e8]gles|reglas|regeln)|\u0438\u0433\u043d\u043e\u0440\u0438\u0440[\u0430-\u044f]{1,8}\s[^.!?]{0,30}?(?:\u0438\u043d\u0441\u0442\u0440\u0443\u043a\u0446\u0438|\u043f\u0440\u0430\u0432\u0438\u043b)/gi,
    says: OVERRIDE,
  },
];

/**
 * SEC-13: sentences that turn the model against its user. Link titles and HTML comments are checked like other text.
 */
export const injection: CheckedRule = {
  id: "SEC-13",
  severity: "warning",
  title: "Words that override instructions or hide things from the user, also in comments and titles",
  help: "State openly what the skill does. Do not use a skill that must be hidden from its user.",
  *check({ texts }) {
    for (const file of texts) {
      yield* patternHits(file, "warning", PATTERNS);
      for (const { line, column, text } of htmlComments(file))
        if (ORDERS.test(text))
          yield {
            message: "A comment that is not rendered contains instructions for the model.",
            path: file.path,
            line,
            column,
          };
    }
  },
};

const ORDERS =
  /\b(?:(?:ai|llm|agents?|assistants?|models?|claude|chatgpt|copilot)\b[^.\n]{0,30}?\b(?:must|should|shall|please|ignore|execute|send|always|never)\b|you (?:must|should|are now|will)\b[^.\n]{0,40}?\b(?:run|execute|send|read|upload|ignore|include|fetch|install)\b|system\s?(?:prompt|message|override|instruction)s?\s?:|(?:ignore|disregard|forget)\s[^.\n]{0,30}?\b(?:rules?|instructions?|prompts?)\b|(?:send|upload|post|exfiltrate|print|leak)\b[^.\n]{0,40}?\b(?:environment|credentials?|secrets?|tokens?|api keys?|conversation|passwords?)\b)/i;

/**
 * "Do not tell the user to ..." and "... that it worked" are style rules. A sentence conceals where it names a thing or
 * ends at "the user".
 */
function isConcealment({ index, 0: match }: RegExpExecArray, { text }: TextWindow): boolean {
  const after = text.slice(index + match.length, index + match.length + 24);
  if (/\b(?:mention|reveal|disclos)/i.test(match))
    return /\b(?:this|that|these|skill|rule|instruction|prompt|you (?:used|did|are))/i.test(match);
  if (/\blet/i.test(match)) return /^\s(?:know|see|notice|find)/i.test(after);
  return (
    /^\s{0,8}(?:[.!,;)]|$|about\s{1,8}(?:this|these|it|that)|(?:or|and) |of this|what)/i.test(after) &&
    !/\bunless\b/i.test(text)
  );
}
