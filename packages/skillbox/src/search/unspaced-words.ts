/**
 * In these scripts every pair of neighbouring signs counts as a word: as effective as words of a dictionary, and 50
 * times faster.
 */
const IN_PAIRS =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]+|[^\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]+/gu;
const PAIRED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u;
const LONE = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]$/u;
const SEGMENTED = /[\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;

const segmenter = new Intl.Segmenter("en", { granularity: "word" });

/**
 * Splits a run of letters in scripts without spaces between words; returns any other run unchanged. With `lastSigns`
 * the last sign of each run of pairs is a word too, so that every sign begins a word.
 */
export function unspacedWords(run: string, lastSigns: boolean): string[] {
  if (PAIRED.test(run)) return (run.match(IN_PAIRS) ?? []).flatMap((part) => pairs(part, lastSigns));
  if (SEGMENTED.test(run)) return [...segmenter.segment(run)].map(({ segment }) => segment);
  return [run];
}

/** True for a single sign of those that are indexed in pairs. */
export function isLoneSign(word: string): boolean {
  return word.length <= 2 && LONE.test(word);
}

function pairs(run: string, lastSigns: boolean): string[] {
  if (!PAIRED.test(run)) return [run];
  const signs = [...run];
  const all = signs.map((sign, at) => `${sign}${signs[at + 1] ?? ""}`);
  return lastSigns || signs.length === 1 ? all : all.slice(0, -1);
}
