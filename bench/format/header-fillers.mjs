/** Every Unicode line end besides LF. */
const unicodeLineEnds = [
  ["CRLF", "\r\n"],
  ["CR", "\r"],
  ["VT", "\v"],
  ["FF", "\f"],
  ["NEL", "\u0085"],
  ["U+2028", "\u2028"],
  ["U+2029", "\u2029"],
];

/**
 * Kinds of text that fill a header, each with a function that returns about `length` characters of it.
 *
 * @type {[what: string, filler: (length: number) => string][]}
 */
export const headerFillers = [
  ["of short keys", (length) => keys(length / 10, (index) => `k${index}: a`)],
  ["of parentheses", (length) => `allowed-tools: ${"(".repeat(length)}`],
  ["of white space", (length) => `compatibility: a${" \t".repeat(length / 2)}b`],
  ["of stray quotes", (length) => `license: "a" ${"'\"".repeat(length / 2)}`],
  ["of keys in a flow map", (length) => `m: {${"a, ".repeat(length / 3)}}`],
  ["of explicit keys", (length) => "? a\n".repeat(length / 4)],
  ["of anchors", (length) => `m: [${"&a x, ".repeat(length / 6)}]`],
  ["of aliases", (length) => `z: &a 1\nm: [${"*a,".repeat(length / 3)}]`],
  ["of merged maps", (length) => `b: &b {x: 1}\nm:\n${"  <<: *b\n".repeat(length / 9)}`],
  ["of dashes in a block", (length) => `m: |\n${" ---\n".repeat(length / 5)}`],
  ["of blank lines", (length) => "\n".repeat(length)],
  ...unicodeLineEnds.map(lineEndFiller),
  ["of lines of spaces", (length) => `${" ".repeat(30)}\n`.repeat(length / 31)],
  ["in an unclosed quote", (length) => `m: "${"a ".repeat(length / 2)}`],
  ["of escapes", (length) => `m: "${"\\n".repeat(length / 2)}"`],
  ["of colons", (length) => `m: a${": a".repeat(length / 3)}`],
  ["of tabs", (length) => `m:${"\t".repeat(length)}x`],
  ["of `[`", (length) => `m: ${"[".repeat(length)}`],
  ["of nested items", (length) => `m: ${"- ".repeat(length / 2)}x`],
  ["in one key", (length) => `${"a".repeat(length)}: 1`],
  ["of broken entries", (length) => keys(length / 100, (index) => `k${index}: @${"x".repeat(90)}`)],
];

/** @param {string[]} lineEnd @returns {[what: string, filler: (length: number) => string]} */
function lineEndFiller([what, end]) {
  return [`of ${what}`, (length) => end.repeat(length / end.length)];
}

function keys(count, line) {
  return Array.from({ length: Math.floor(count) }, (_, index) => line(index)).join("\n");
}
