/** Every Unicode line end other than LF (UAX 14); text readers each support some of them. */
const UNICODE_LINE_ENDS = [
  ["CRLF", "\r\n"],
  ["CR", "\r"],
  ["VT", "\v"],
  ["FF", "\f"],
  ["NEL", "\u0085"],
  ["U+2028", "\u2028"],
  ["U+2029", "\u2029"],
] as const;

/** Fillers for a header of about that many characters; each has been expensive for some YAML parser. */
export const HOSTILE_FILLERS: readonly (readonly [what: string, filler: (length: number) => string])[] = [
  ["parentheses", (length) => `allowed-tools: ${"(".repeat(length)}`],
  ["white space", (length) => `compatibility: a${" \t".repeat(length / 2)}b`],
  ["quotes in a broken value", (length) => `description: "a" ${"'\"".repeat(length / 2)}`],
  ["keys in a flow map", (length) => `m: {${"a, ".repeat(length / 3)}}`],
  ["explicit keys", (length) => "? a\n".repeat(length / 4)],
  ["anchors", (length) => `m: [${"&a x, ".repeat(length / 6)}]`],
  ["aliases", (length) => `z: &a 1\nm: [${"*a,".repeat(length / 3)}]`],
  ["merged maps", (length) => `b: &b {x: 1}\nm:\n${"  <<: *b\n".repeat(length / 9)}`],
  ["lines of dashes", (length) => `m: |\n${" ---\n".repeat(length / 5)}`],
  ["blank lines", (length) => "\n".repeat(length)],
  ...UNICODE_LINE_ENDS.map(
    ([what, end]) => [`${what} line ends`, (length: number) => end.repeat(length / end.length)] as const,
  ),
  ["line ends of a comment", (length) => `#${"\u2028".repeat(length)}`],
  ["line ends in a quoted value", (length) => `m: "${"a\u2028".repeat(length / 2)}"`],
  ["lines of spaces", (length) => `${" ".repeat(30)}\n`.repeat(length / 31)],
  ["an unclosed quote", (length) => `m: "${"a ".repeat(length / 2)}`],
  ["escapes", (length) => `m: "${"\\n".repeat(length / 2)}"`],
  ["colons", (length) => `m: a${": a".repeat(length / 3)}`],
  ["tabs", (length) => `m:${"\t".repeat(length)}x`],
  ["brackets", (length) => `m: ${"[".repeat(length)}`],
  ["nested items", (length) => `m: ${"- ".repeat(length / 2)}x`],
  ["one long key", (length) => `${"a".repeat(length)}: 1`],
  [
    "broken entries",
    (length) =>
      Array.from({ length: 197 }, (_, entry) => `k${entry}: @${"x".repeat(length / 197 - 9)}`).join("\n"),
  ],
];
