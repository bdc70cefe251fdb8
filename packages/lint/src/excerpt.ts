import { visibleText } from "@skillwright/core/adapter";
import { secretMaskings } from "./mask-secrets.js";

const MAX_CHARACTERS = 160;
const BEFORE = 60;
/** Characters read around the position: enough to include any secret whole. */
const LOOKED_AT = 4000;

/** Returns the part of a line around a position, as `LintFinding.excerpt` promises it. */
export function excerpt(line: string, column = 1): string {
  const cutFrom = Math.max(0, column - 1 - LOOKED_AT);
  const text = line.slice(cutFrom, column - 1 + LOOKED_AT);
  const place = Math.min(text.length, column - 1 - cutFrom);
  const indent = Math.max(0, text.search(/\S/));
  const first = text.length - indent <= MAX_CHARACTERS ? indent : Math.max(0, place - BEFORE);

  let shown = "";
  let at = first;
  for (const { start, end, by } of secretMaskings(text)) {
    if (end <= first) continue;
    shown += visibleText(text.slice(at, Math.max(at, start))) + by;
    at = end;
    if (shown.length >= MAX_CHARACTERS) break;
  }
  shown += visibleText(text.slice(at, at + MAX_CHARACTERS));
  return cut(shown.trim());
}

/** Never cuts a surrogate pair. */
function cut(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  return text
    .slice(0, MAX_CHARACTERS)
    .replace(/[\ud800-\udbff]$/, "")
    .trimEnd();
}
