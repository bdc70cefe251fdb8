import { shownText } from "@skillwright/core/adapter";

// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour is a control sequence
const COLOURS = /\u001b\[[0-9;:]*m/g;

/** Text of a command or a model for a terminal: colours are removed, other control sequences written out. */
export function printable(text: string): string {
  return shownText(text.replace(COLOURS, "").replace(/\r\n?/g, "\n").replace(/\t/g, "  "));
}
