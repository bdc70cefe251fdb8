import { hiddenText } from "./hidden-text.js";

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

const FLAG = /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{2,6}\u{e007f}$/u;

/** True for a flag's tag characters, and for joiners where an emoji or a script needs them. */
export function isShownRightly(run: string, before: string, after: string): boolean {
  if (FLAG.test(run)) return before.endsWith("\u{1f3f4}");
  return isJoiner(run) && (joinsEmoji(run, before, after) || joinsLetters(before, after));
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

/** U+200B separates words in Khmer, Lao, Burmese and Thai; the two joiners shape letters. */
function isJoiner(run: string): boolean {
  return /^[\u200b-\u200d]$/.test(run);
}

function joinsEmoji(run: string, before: string, after: string): boolean {
  return (
    run === "\u200d" &&
    /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u.test(before) &&
    /^\p{Extended_Pictographic}/u.test(after)
  );
}

const JOINING =
  "\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nkoo}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}" +
  "\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Laoo}\\p{scx=Mymr}\\p{scx=Thai}\\p{scx=Tibt}";
const JOINED_BEFORE = new RegExp(`(?=[\\p{L}\\p{M}])[${JOINING}]$`, "u");
const JOINED_AFTER = new RegExp(`^(?=[\\p{L}\\p{M}])[${JOINING}]`, "u");

function joinsLetters(before: string, after: string): boolean {
  return JOINED_BEFORE.test(before) && JOINED_AFTER.test(after);
}

function spelled(what: string, run: string): string {
  const text = hiddenText(run);
  return text ? `${what} that spells ${JSON.stringify(text.slice(0, 120))}` : what;
}

function hex(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
