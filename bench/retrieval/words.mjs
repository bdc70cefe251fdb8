/** Stop words. */
const EMPTY = new Set(
  (
    "about above after again all also and any are because been before being below between both but can could did does " +
    "doing down during each few for from further had has have having her here hers him his how into its itself just may " +
    "might more most must nor not now off once only other our ours out over own same she should some such than that the " +
    "their theirs them then there these they this those through too under until use used using very was were what when " +
    "where which while who whom why will with would you your yours"
  ).split(" "),
);

const segmenter = new Intl.Segmenter("en", { granularity: "word" });
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/u;

/** Every occurrence of a word that is not a stop word, in lower case. */
export function tellingWords(text) {
  return allWords(text).filter(
    (word) => word.length >= (UNSPACED.test(word) ? 2 : 3) && /\p{L}/u.test(word) && !EMPTY.has(word),
  );
}

export function allWords(text) {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((part) =>
      UNSPACED.test(part) ? [...segmenter.segment(part)].map(({ segment }) => segment) : part ? [part] : [],
    );
}
