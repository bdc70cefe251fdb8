import { hiddenText, isShownRightly } from "@skillwright/core/adapter";

export interface HiddenCharacters {
  /** Offset of the first character, in UTF-16 units. */
  readonly offset: number;
  /** Description such as `a zero-width character`, with the text that it spells, if any. */
  readonly what: string;
}

const SUSPECTS =
  /[\u{e0000}-\u{e007f}]+|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{3,}|[\u202a-\u202e\u2066-\u2069]|[\u180e\u200b-\u200d\u2060-\u2064\ufeff\u115f\u1160\u3164\uffa0]+/gu;

/**
 * Yields runs of characters that are invisible or that reverse the text direction. Such characters are allowed in
 * flags, in emoji families, and in scripts that join letters or separate words with them (Persian, Hindi, Khmer and
 * related scripts).
 */
export function* hiddenCharacters(text: string): Generator<HiddenCharacters, void, undefined> {
  for (const match of text.matchAll(SUSPECTS)) {
    const [run] = match;
    const offset = match.index;
    const what = describe(
      run,
      text.slice(Math.max(0, offset - 4), offset),
      text.slice(offset + run.length, offset + run.length + 4),
    );
    if (what) yield { offset, what };
  }
}

function describe(run: string, before: string, after: string): string | undefined {
  const code = run.codePointAt(0) ?? 0;
  const count = [...run].length;
  if (code >= 0xe0000 && code <= 0xe007f) {
    if (isShownRightly(run, before, after)) return undefined;
    return spelled(count === 1 ? "a tag character" : `a run of ${count} tag characters`, run);
  }
  if (code >= 0xe0100 || (code >= 0xfe00 && code <= 0xfe0f))
    return spelled(`a run of ${count} variation selectors`, run);
  if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069))
    return `a character that turns the direction of writing (${hex(code)})`;
  if (isShownRightly(run, before, after)) return undefined;
  return count === 1 ? `a zero-width character (${hex(code)})` : `a run of ${count} zero-width characters`;
}

function spelled(what: string, run: string): string {
  const text = hiddenText(run);
  return text ? `${what} that spells ${JSON.stringify(text.slice(0, 120))}` : what;
}

function hex(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
