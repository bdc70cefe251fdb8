import { shownLine } from "../shown-text.js";
import { hiddenText, TAGS, VARIATIONS } from "./hidden-text.js";

/** The text on one line with nothing in it that does not show, as `shownLine`; hidden writing as `<hidden: ...>`. */
export function visibleText(text: string): string {
  return shownLine(
    text
      .replace(TAGS, (run) => `<hidden: ${hiddenText(run)}>`)
      .replace(VARIATIONS, (run) => `<hidden: ${hiddenText(run)}>`),
  );
}
