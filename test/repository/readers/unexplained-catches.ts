const NOTHING = String.raw`undefined|null|true|false|0|""|\[\]|\{\s*\}|\(\{\}\)|new \w+(?:<[^>]*>)?\(\)`;
const DROPPED = new RegExp(
  String.raw`\.catch\(\(\) => (?:${NOTHING})\)|\bcatch\s*(?:\(\w+\)\s*)?\{\s*\}`,
  "g",
);

/** The lines, counted from 1, that drop a failure without a comment at their end or directly above their statement. */
export function unexplainedCatches(text: string): readonly number[] {
  const lines = text.split("\n");
  return [...text.matchAll(DROPPED)].flatMap(({ 0: found, index }) => {
    const first = lineAt(text, index);
    const last = lineAt(text, index + found.length);
    const above = lines[statementAt(lines, first) - 1] ?? "";
    const isExplained = [first, last].some((at) => endsWithComment(lines[at] ?? "")) || isComment(above);
    return isExplained ? [] : [first + 1];
  });
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length - 1;
}

/** Goes up from a line that continues a chain of calls or closes brackets. */
function statementAt(lines: readonly string[], at: number): number {
  const indent = indentOf(lines[at]);
  if (!/^\s*[.?)\]}]/.test(lines[at] ?? "")) return at;
  for (let above = at - 1; above >= 0; above--) {
    const isChain = /^\s*(?:\?\.|\.)/.test(lines[at] ?? "");
    const isOutside = isChain ? indentOf(lines[above]) < indent : indentOf(lines[above]) <= indent;
    if (isOutside) return statementAt(lines, above);
  }
  return at;
}

function indentOf(line = ""): number {
  return line.search(/\S|$/);
}

function isComment(line: string): boolean {
  return /^\s*(?:\/\/|\/\*(?!\*).*\*\/$)/.test(line);
}

function endsWithComment(line: string): boolean {
  return /[;,{}]\s*\/\/ /.test(line);
}
