import { unspacedWords } from "./search/unspaced-words.js";

/**
 * The words of a text in order, for the index and for queries alike; set `lastSigns` for the index, see
 * `unspacedWords`.
 */
export function searchWords(text: string, { lastSigns = false } = {}): string[] {
  const words: string[] = [];
  eachWord(text, lastSigns, (word) => words.push(word));
  return words;
}

/** Calls `take` with each word of `searchWords`: a list of all words of a body would take as long as finding them. */
export function eachWord(text: string, lastSigns: boolean, take: (word: string) => void): void {
  for (let at = 0; at < text.length; at++) {
    const start = at;
    let all = 0;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code < 128 && PLAIN[code] === 0) break;
      all |= code;
    }
    if (at === start) continue;
    const run = text.slice(start, at);
    if (all < 128) take(run);
    else for (const word of foreignWords(run, lastSigns)) take(word);
  }
}

/** The words of a name, and their concatenation, so that `csvanalyst` finds `csv-analyst`. */
export function nameWords(name: string): string[] {
  const words = searchWords(name);
  return words.length > 1 ? [...words, words.join("")] : words;
}

/** ASCII letters and digits: most texts contain nothing else, and Unicode tables cost several times as much. */
const PLAIN = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0,
);

function foreignWords(text: string, lastSigns: boolean): string[] {
  const runs = text.normalize("NFKC").match(/[\p{L}\p{N}]+/gu) ?? [];
  return runs.flatMap((run) => unspacedWords(run, lastSigns));
}
