import { en, type Texts } from "./en.js";
import { languages } from "./languages.js";

/** The tag of the language of the page: the first of the browser's languages that the page has, or English. */
export const language: string = chosenLanguage(navigator.languages);

/** The texts of the page in its language. */
export const texts: Texts = languages[language] ?? en;

/** A region may have a file of its own; `de-CH` is content with `de`. */
function chosenLanguage(wanted: readonly string[]): string {
  const found = wanted
    .flatMap((tag) => [tag, tag.split("-")[0] ?? tag])
    .find((tag) => Object.hasOwn(languages, tag));
  return found ?? "en";
}
