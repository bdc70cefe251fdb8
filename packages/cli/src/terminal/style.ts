/** Styles text for people; every function returns the text unchanged where colours are off. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
  cyan(text: string): string;
}

export function createStyle(colours: boolean): Style {
  const mark = (on: number, off: number) => (text: string) =>
    colours && text !== "" ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    bold: mark(1, 22),
    dim: mark(2, 22),
    red: mark(31, 39),
    yellow: mark(33, 39),
    green: mark(32, 39),
    cyan: mark(36, 39),
  };
}

/** Colours are used only on a terminal, and not where `NO_COLOR` is set or the terminal is `dumb`. */
export function wantsColours(
  stream: { readonly isTTY?: boolean | undefined },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}
