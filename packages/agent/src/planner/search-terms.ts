/**
 * The distinguishing words of a text: lower-case, split at everything except letters and digits (so also at the hyphens
 * of a skill's name), without stop words, cut to a stem so that `analyse` matches `analyst`.
 */
export function searchTerms(text: string): string[] {
  const words = text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word.length > 1 && !/^\d+$/.test(word) && !STOP_WORDS.has(word)).map(stem);
}

/** Rough on purpose: both sides of a comparison are cut in the same way, so a stem need not be a word. */
function stem(word: string): string {
  const [ending, kept] = ENDINGS.find(([pattern, rest]) => isStem(word, word.replace(pattern, rest))) ?? [];
  return ending === undefined ? word : stem(word.replace(ending, kept ?? ""));
}

function isStem(word: string, cut: string): boolean {
  return cut !== word && (cut.length >= 4 || cut === word.slice(0, -1));
}

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/(ysis|yses|yst|ysts|y[sz](e[sd]?|ing))$/, "y"],
  [/(arise|arize|arising|arizing|ary|aries)[ds]?$/, ""],
  [/i[sz](ation|e|ed|es|ing)s?$/, ""],
  [/(ation|ating|ate|ated|ator)s?$/, ""],
  [/(ency|encies|ent|ently)$/, ""],
  [/ings?$/, ""],
  [/(er|or|ed|e|ie)s?$|(?<!al)y$/, ""],
  [/(?<![sui])s$/, ""],
];

const STOP_WORDS = new Set(
  (
    "a about after all also am an and any are as at be because been before but by can could did do does done down each " +
    "file files folder for from get give go got has have he help her here him his how i if in into is it its just know let " +
    "like make made many may me more most much my need new no not now of off on once one only or other our out over " +
    "please put run same see she should show skill skills so some such take tell than thank thanks that the their them then " +
    "there these they thing this those through to too tool turn under up use used user users using very want was way we " +
    "well were what when where which while who why will with work would write you your data task tasks something"
  ).split(" "),
);
