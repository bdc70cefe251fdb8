import { en, type Texts } from "./en.js";
import { languages } from "./languages.js";

/** The tag of the language of the page: the first of the browser's languages that the page has, or English. */
export const language: string = chosenLanguage(navigator.languages);

/** The texts of the page in its language. */
export const texts: Texts = languages[language] ?? en;

/** A language of a region, such as `de-CH`, uses the texts of `de` unless it has texts of its own. */
function chosenLanguage(wanted: readonly string[]): string {
  const found = wanted
    .flatMap((tag) => [tag, tag.split("-")[0] ?? tag])
    .find((tag) => Object.hasOwn(languages, tag));
  return found ?? "en";
}
