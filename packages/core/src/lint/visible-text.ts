import { shownLine } from "../shown-text.js";
import { hiddenText, TAGS, VARIATIONS } from "./hidden-text.js";

/**
 * Returns the text on one line without invisible characters, like `shownLine`; hidden writing becomes `<hidden: ...>`.
 */
export function visibleText(text: string): string {
  return shownLine(
    text
      .replace(TAGS, (run) => `<hidden: ${hiddenText(run)}>`)
      .replace(VARIATIONS, (run) => `<hidden: ${hiddenText(run)}>`),
  );
}
