import { printable } from "../ui/printable.js";
import type { ColouredPart } from "./coloured-lines.js";

/** More of a line is not shown. */
const MOST_CHARACTERS = 4000;

/** A line of a program. Everything in it is text. */
export function ColouredLine({ parts }: { readonly parts: readonly ColouredPart[] }) {
  let left = MOST_CHARACTERS;
  return (
    <bdi>
      {parts.map(({ text, look }, index) => {
        const shown = printable(text.slice(0, left));
        left = Math.max(0, left - text.length);
        return (
          <span key={index} className={look}>
            {shown}
          </span>
        );
      })}
    </bdi>
  );
}
