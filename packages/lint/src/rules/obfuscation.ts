import { encodedBlobs } from "../encoded-blobs.js";
import type { CheckedRule } from "../lint-rule.js";
import { type LinePattern, patternHits } from "../pattern-rule.js";

const PATTERNS: readonly LinePattern[] = [
  {
    words: ["base64", "xxd", "openssl", "uudecode"],
    pattern:
      /\b(?:base64\s{1,3}(?:-d|-D|-di|--decode)\b|xxd\s{1,3}-r|openssl\s{1,3}(?:enc|base64)\s[^|\n]{0,80}-d\b|uudecode\b)[^\n]{0,120}?\|\s{0,3}(?:sudo\s{1,3})?(?:(?:ba|z|k|da)?sh|python[\d.]{0,4}|perl|node|ruby|php)\b(?!\s{1,3}-(?:[cmrp]|ne|pe)\b)/g,
    says: "Decoded text is piped into an interpreter",
  },
  {
    words: ["base64"],
    pattern:
      /\b(?:eval|(?:ba|z|k|da)?sh\s{1,3}-c)\s{1,3}["']?(?:\$\(|`)[^\n`]{0,200}?\bbase64\s{1,3}(?:-d|-D|--decode)\b/g,
    says: "Decoded text is run as a command",
  },
  {
    words: [
      "decode(",
      "decompress",
      "fromhex",
      "unhexlify",
      "a2b_",
      "atob",
      "buffer.from",
      "unescape",
      "fromcharcode",
      "marshal.loads",
    ],
    pattern:
      /(?<![.\w])(?:exec|eval|Function|execSync|os\.system|subprocess\.\w{1,12}|system)\s?\(\s{0,2}(?:[\w.]{1,30}\(\s{0,2}){0,3}(?:base64\.\w{1,16}|\w{0,4}b(?:64|32|85)_?decode|codecs\.decode|zlib\.decompress|bytes\.fromhex|bytearray\.fromhex|binascii\.\w{1,12}|marshal\.loads|(?:window\.)?atob|Buffer\.from|unescape|String\.fromCharCode)\s?\(/g,
    says: "Decoded text is run as code",
  },
  {
    words: ["b64decode", "unhexlify", "fromhex", "zlib.decompress", "marshal.loads"],
    pattern: /\b(?:marshal\.loads|b64decode|unhexlify|fromhex|zlib\.decompress)\s?\(/g,
    says: "This script decodes text and runs text as code",
    accept: (_, { file }) =>
      file.path.endsWith(".py") && /(?:^|[^.\w])(?:exec|eval)\s?\(\s?\w/.test(file.text),
  },
  {
    words: ["-e"],
    pattern:
      /\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,80}?\s-e(?:c|nc|ncodedcommand)?\s{1,3}["']?[A-Za-z0-9+/]{20}/gi,
    says: "PowerShell is given an encoded command",
  },
  {
    words: ["\\x"],
    pattern: /(?:\\x[0-9a-f]{2}){32}/gi,
    within: ["code", "prose"],
    says: "A long text is written in hexadecimal escapes",
    accept: ([run]) => new Set(run.toLowerCase().match(/[0-9a-f]{2}/g)).size >= 10,
  },
  {
    words: ["fromcharcode"],
    pattern: /fromCharCode\s?\((?:\s{0,2}(?:0x[0-9a-f]{1,4}|\d{1,5})\s{0,2},){15}/gi,
    says: "A long text is written as numbers of characters",
  },
  {
    words: ["^"],
    pattern: /(?<![.\w])(?:exec|eval)\s?\([^\n]{0,120}?\)\s{0,2}\^\s{0,2}(?:0x|\d|ord\(|\w)/g,
    within: ["code"],
    says: "Text is run as code after XOR",
  },
];

/** SEC-08: obfuscated text that is run. */
export const obfuscation: CheckedRule = {
  id: "SEC-08",
  severity: "warning",
  title: "Code that is decoded and executed in one step, or a long encoded blob",
  help: "Include the source code as text, and data as a separate file that a reviewer can open.",
  *check({ texts }) {
    for (const file of texts) {
      yield* patternHits(file, "warning", PATTERNS);
      for (const { line, column, length } of encodedBlobs(file))
        yield { message: `${length} characters of encoded data.`, path: file.path, line, column };
    }
  },
};
