const FLAG = /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{2,6}\u{e007f}$/u;

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
const JOINED_BEFORE = new RegExp(`(?=[\\p{L}\\p{M}])[${JOINING}]$`, "u");
const JOINED_AFTER = new RegExp(`^(?=[\\p{L}\\p{M}])[${JOINING}]`, "u");

function joinsLetters(before: string, after: string): boolean {
  return JOINED_BEFORE.test(before) && JOINED_AFTER.test(after);
}
