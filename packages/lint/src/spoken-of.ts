import type { TextWindow } from "./text-windows.js";

const WARNING =
  /\b(?:never|do not|don't|must not|should not|avoid|refuse|reject|forbid(?:den)?|block(?:s|ed)?|den(?:y|ied)|dangerous|insecure|unsafe|malicious|detect(?:s|ed|ion)?|flag(?:s|ged)?|injections?|attack(?:s|ers?)?|jailbreaks?)\b|\u274c|\u2717/i;

/** True where running text shortly before the index warns against what follows. */
export function isWarnedAgainst({ text, context }: TextWindow, index: number): boolean {
  return isRunning(context) && WARNING.test(text.slice(Math.max(0, index - 120), index));
}

/** True where the window is a comment in a script. */
export function isComment({ text, context }: TextWindow): boolean {
  return context === "code" && /^\s{0,80}(?:#(?!!)|\/\/|\*\s|--\s|rem\s)/i.test(text);
}

/** True where a match in running text is in quotation marks. Quotation marks of link titles do not count. */
export function isQuoted({ text, context }: TextWindow, { index, 0: match }: RegExpExecArray): boolean {
  if (!isRunning(context)) return false;
  const before = text.slice(0, index);
  const after = text.slice(index + match.length);
  return QUOTES.some(([open, close]) => {
    const opened = before.lastIndexOf(open);
    if (opened === -1 || !after.includes(close) || /\]\([^()]{1,400}\s$/.test(before.slice(0, opened)))
      return false;
    return open === close ? before.split(open).length % 2 === 0 : before.indexOf(close, opened) === -1;
  });
}

const QUOTES = [
  ['"', '"'],
  ["`", "`"],
  ["\u201c", "\u201d"],
  ["\u300c", "\u300d"],
  ["\u00ab", "\u00bb"],
] as const;

function isRunning(context: TextWindow["context"]): boolean {
  return context === "prose" || context === "header";
}
