import { headerFillers } from "./header-fillers.mjs";

/** A size just below the 100 Ki above which a header is refused unread, and one well above it. */
const kibibytes = [99, 255];

/** Texts that are expensive for some parser: a title and a function that makes each. */
export const hostileCases = [
  ["alias bomb, 9 levels of 9", aliasBomb],
  ["20,000 nested `[`", () => skillFile(`m: ${"[".repeat(20_000)}${"]".repeat(20_000)}`)],
  ["20,000 nested `- `", () => skillFile(`m: ${"- ".repeat(20_000)}x`)],
  ["60,000 keys, 0.6 MB", () => skillFile(lines(60_000, (index) => `key${index}: a`))],
  ["2,400 keys", () => skillFile(lines(2400, (index) => `key${index}: a`))],
  ["2,400 keys in a flow map", () => skillFile(`m: {${lines(2400, (index) => `k${index},`, " ")}}`)],
  ["2,400 nested `[`", () => skillFile(`m: ${"[".repeat(2400)}${"]".repeat(2400)}`)],
  ["197 broken entries", () => skillFile(lines(197, (index) => `k${index}: @${"x".repeat(500)}`))],
  ...kibibytes.flatMap((size) =>
    headerFillers.map(([what, filler]) => [`${size} KiB ${what}`, () => skillFile(filler(size * 1024))]),
  ),
  ["10 MB without a closing line", () => `---\n${"a".repeat(10_000_000)}`],
  ["`---js`, code to some", () => `---js\n{ name: (globalThis.ran = "x"), description: "d" }\n---\n`],
];

function skillFile(header) {
  return `---\nname: x\n${header}\ndescription: d\n---\n\nbody\n`;
}

function aliasBomb() {
  const bomb = lines(9, (level) => `a${level + 1}: &a${level + 1} [${`*a${level},`.repeat(9)}]`);
  return skillFile(`a0: &a0 [x, x]\n${bomb}`);
}

function lines(count, line, end = "\n") {
  return Array.from({ length: count }, (_, index) => line(index)).join(end);
}
