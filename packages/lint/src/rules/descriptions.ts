import type { CheckedRule, LintHit } from "../lint-rule.js";
import type { LintSubject } from "../lint-subject.js";

/** SEC-22: the description by which a model chooses the skill. */
export const descriptions: CheckedRule = {
  id: "SEC-22",
  severity: "info",
  title:
    "Description that is too short, too generic or stuffed with keywords, claims to be official, or names a vendor",
  help: "Say what the skill does and when to use it, in the words of the task, and claim no more.",
  *check({ header, skillText, skill }: LintSubject) {
    if (!skillText) return;
    const { path } = skillText;
    const description = header.get("description");
    const text = description?.text?.trim().replace(/\s+/g, " ").slice(0, 20_000) ?? "";
    for (const message of text ? aboutDescription(text) : []) yield at(description, message);
    const name = header.get("name");
    const vendor = /(?:^|[-_. ])(anthropic|claude|openai|chatgpt|official|verified)(?=[-_. ]|$)/i.exec(
      name?.text ?? skill.directoryName,
    )?.[1];
    if (vendor)
      yield at(name, `The name contains "${vendor}", which suggests that the skill comes from this vendor.`);

    function at(entry: { line: number; column: number } | undefined, message: string): LintHit {
      return { message, path, ...(entry && { line: entry.line, column: entry.column }) };
    }
  },
};

const FILLER =
  /^(?:an? |the |this )?(?:is )?(?:an? )?(?:very |really )?(?:helpful|useful|powerful|great|simple|general(?:-purpose)?|versatile|my|test)?\s?(?:skill|tool|assistant|helper|utility|agent)(?: (?:that|which|to))?(?: (?:helps?|assists?)(?: (?:you|users?|me))?)?(?: (?:with )?(?:various|many|different|all|any|every)?\s?(?:things|stuff|tasks?|everything|anything))?[.!]?$/i;
const ALWAYS =
  /\b(?:use|invoke|activate|trigger|load|run) (?:this|it)(?: skill)? (?:for|on|in|at|with|before|after) (?:every|any|all|each) (?:task|request|message|conversation|prompt|question|query|time|situation|response|thing|user)s?\b|\balways (?:use|invoke|activate|load) this(?: skill)?(?=[.!]|$)|\b(?:use|prefer) this (?:skill )?(?:instead of|over|before) (?:all |any )?other (?:skills?|tools?)\b/i;
const OFFICIAL =
  /\b(?:official(?:ly)?|endorsed|certified|verified|approved)\b[^.;]{0,30}\b(?:anthropic|claude|openai|google|microsoft|apple|amazon|aws|github|meta)\b|\b(?:anthropic|openai|google|microsoft|apple|amazon|aws|github|meta)(?:'s)? (?:official|verified|certified|approved)\b/i;

function* aboutDescription(text: string): Generator<string, void, undefined> {
  const size = [...text].reduce(
    (sum, character) =>
      sum +
      (/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u.test(character) ? 3 : 1),
    0,
  );
  if (size < 30)
    yield `The description has ${[...text].length} characters, too few to decide when to use the skill.`;
  else if (FILLER.test(text)) yield "The description fits any skill.";
  if (ALWAYS.test(text)) yield "The description asks for the skill to be used whatever the task is.";
  if (isStuffed(text)) yield "The description repeats or lists keywords.";
  if (OFFICIAL.test(text)) yield "The description claims to be endorsed by a vendor.";
}

function isStuffed(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  if (words.length >= 12 && most >= 8 && most / words.length > 0.15) return true;
  const items = text.split(/[,;\u3001\uff0c]/).map((item) => item.trim());
  return items.filter((item) => item.length > 0 && item.split(" ").length <= 3).length > 40;
}
