/**
 * Control characters except tab and line ends, a carriage return that would overwrite its line, direction marks,
 * zero-width characters, tag characters, lone surrogates, and noncharacters.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is written out
  /[\u{e0000}-\u{e007f}]+|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{3,}|\u034f|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\u{e0080}-\u{e00ff}\u{e01f0}-\u{e0fff}\p{Surrogate}]|\r(?!\n)/gu;

/**
 * Makes text safe for a model or a terminal: characters that move the cursor, change the writing direction or are
 * invisible are written out, such as `\u{1b}`. Tabs, line ends, emoji and the joiners of scripts that need them are
 * kept.
 */
export function shownText(text: string): string {
  return text.replace(UNSEEN, (run, at: number) =>
    isShownRightly(run, text.slice(Math.max(0, at - 4), at), text.slice(at + run.length, at + run.length + 4))
      ? run
      : writtenOut(run),
  );
}

/** Like `shownText`, on one line: each run of white space becomes one space. */
export function shownLine(text: string): string {
  return NEEDS_CARE.test(text) ? shownText(text.replace(/(?:(?!\ufeff)\s)+/g, " ")) : text;
}

/** Everything but single blanks, printable ASCII, and letters and signs of common scripts, which are shown as they are. */
const NEEDS_CARE =
  / {2}|[^ -~\u00a1-\u00ac\u00ae-\u034e\u0370-\u0600\u2010-\u2027\u2030-\u205e\u3001-\u3163\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff9f]/;

function writtenOut(run: string): string {
  return Array.from(run, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`).join("");
}

/** True for a flag's tag characters, and for joiners where an emoji or a script needs them. */
export function isShownRightly(run: string, before: string, after: string): boolean {
  if (FLAG.test(run)) return before.endsWith("\u{1f3f4}");
  return isJoiner(run) && (joinsEmoji(run, before, after) || joinsLetters(before, after));
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
/** Made with the first joiner, because making them takes as long as loading the rest of this package. */
let joined: { readonly before: RegExp; readonly after: RegExp } | undefined;

function joinsLetters(before: string, after: string): boolean {
  joined ??= {
    before: new RegExp(`(?=[\\p{L}\\p{M}])[${JOINING}]$`, "u"),
    after: new RegExp(`^(?=[\\p{L}\\p{M}])[${JOINING}]`, "u"),
  };
  return joined.before.test(before) && joined.after.test(after);
}

const FLAG = /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{2,6}\u{e007f}$/u;
