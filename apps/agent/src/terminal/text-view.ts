import { printable } from "./printable.js";
import type { Screen } from "./screen.js";

/**
 * Shows text that arrives in pieces. On a terminal it is broken between words, so each word is shown when it is
 * complete.
 */
export function textView(screen: Screen): { write(piece: string): void; end(): void } {
  let column = 0;
  let word = "";

  function showWord(): void {
    const length = [...word].length;
    if (column > 0 && column + length > screen.columns) {
      screen.write("\n");
      column = 0;
    }
    screen.write(word);
    column += length;
    word = "";
  }

  return {
    write: (piece) => {
      for (const part of printable(piece).split(/([ \n])/)) {
        if (part !== " " && part !== "\n") {
          word += part;
          continue;
        }
        showWord();
        // A blank at the start of a broken line is dropped.
        if (part === "\n" || column < screen.columns) screen.write(part);
        column = part === "\n" ? 0 : column + 1;
      }
      if (!screen.isTerminal) showWord();
    },
    end: () => {
      showWord();
      column = 0;
    },
  };
}
