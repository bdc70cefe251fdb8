import { isUtf8 } from "node:buffer";
import type { Diagnostic } from "../diagnostic.js";
import { readFrontmatter } from "./frontmatter.js";
import type { SkillHeader } from "./read-header.js";
import { positionAt, skillFileDiagnostic } from "./skill-file-diagnostic.js";

/** SKILL.md split into its parts, before validation. */
export interface SkillDocument {
  readonly header: SkillHeader;
  /** The YAML source, `""` where there is none. */
  readonly yaml: string;
  /** The Markdown after the header, trimmed, line ends as LF. */
  readonly body: string;
  /** Diagnostics about the bytes: a byte order mark, NUL bytes, text that is not UTF-8. */
  readonly encoding: readonly Diagnostic[];
}

/**
 * Splits SKILL.md. Bytes are decoded as UTF-8; invalid ones become U+FFFD. NUL bytes in the header are dropped, and a
 * file in UTF-16 or UTF-32 is not read.
 */
export function readSkillDocument(content: string | Uint8Array): SkillDocument {
  const wide = typeof content === "string" ? undefined : wideEncoding(content);
  if (wide !== undefined) return { header: { unusable: notUtf8(wide) }, yaml: "", body: "", encoding: [] };
  const { text, encoding: told } = decoded(content);
  const read = readFrontmatter(text);
  const nul = text.indexOf("\0");
  const isInBody = typeof read === "object" && !read.yaml.includes("\0");
  const encoding = nul < 0 ? told : [...told, nulByte(text, nul, isInBody)];
  if (typeof read === "object") return { ...read, yaml: read.yaml.replaceAll("\0", ""), encoding };
  const unusable = read === "unclosed" ? UNCLOSED : /^\ufeff?\s+---/.test(text) ? NOT_FIRST : MISSING;
  return { header: { unusable }, yaml: "", body: "", encoding };
}

const DASH = 0x2d;

/** Recognises it by the byte order mark, or by the NUL bytes between the dashes of the first line. */
function wideEncoding(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes;
  if (a === DASH && b === DASH) return undefined;
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? "UTF-32" : "UTF-16";
  if (a === 0xfe && b === 0xff) return "UTF-16";
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return "UTF-32";
  const first = String.fromCharCode(...bytes.subarray(0, 4));
  return first === "-\0-\0" || first === "\0-\0-" ? "UTF-16" : undefined;
}

function notUtf8(encoding: string): Diagnostic {
  const message = `SKILL.md is in ${encoding}; a skill is read as UTF-8.`;
  const code = encoding === "UTF-16" ? "encoding.utf-16" : "encoding.utf-32";
  return skillFileDiagnostic(code, "error", message, "Save the file as UTF-8.");
}

/** Code for a NUL byte in the body, which the standard does not mention. */
export const NUL_IN_BODY = "encoding.nul-byte-in-body";

function nulByte(text: string, at: number, isInBody: boolean): Diagnostic {
  return skillFileDiagnostic(
    isInBody ? NUL_IN_BODY : "encoding.nul-byte",
    "warning",
    "SKILL.md has a NUL byte, which no text has; in the header it is left out.",
    "Remove it. Where there are many, the file is damaged or no text.",
    positionAt(text, at),
  );
}

function decoded(content: string | Uint8Array): { text: string; encoding: readonly Diagnostic[] } {
  const [text, valid] = typeof content === "string" ? [content, true] : decodedBytes(content);
  const isMarked = text.startsWith("\ufeff");
  if (valid && !isMarked) return { text, encoding: [] };
  const encoding = [...(valid ? [] : [invalidUtf8(text)]), ...(isMarked ? [BYTE_ORDER_MARK] : [])];
  return { text, encoding };
}

function decodedBytes(bytes: Uint8Array): [text: string, valid: boolean] {
  const valid = isUtf8(bytes);
  if (!valid) return [new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), false];
  return [Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"), true];
}

function invalidUtf8(text: string): Diagnostic {
  return skillFileDiagnostic(
    "encoding.invalid-utf8",
    "warning",
    "SKILL.md is not UTF-8; bytes that could not be read are shown as U+FFFD.",
    "Save the file as UTF-8.",
    positionAt(text, text.indexOf("\ufffd")),
  );
}

const MISSING = skillFileDiagnostic(
  "frontmatter.missing",
  "error",
  "SKILL.md does not begin with frontmatter.",
  "Make its first line `---`, then name and description, then `---`.",
);
const NOT_FIRST = skillFileDiagnostic(
  "frontmatter.missing",
  "error",
  "SKILL.md begins with a blank line or a space; frontmatter has to begin at the very start of the file.",
  "Delete what stands before the first `---`.",
);
const UNCLOSED = skillFileDiagnostic(
  "frontmatter.unclosed",
  "error",
  "The frontmatter is never closed.",
  "End it with a line `---`.",
);
const BYTE_ORDER_MARK = skillFileDiagnostic(
  "encoding.bom",
  "info",
  "SKILL.md begins with a byte order mark, which some readers stumble over.",
  "Save the file as UTF-8 without BOM.",
);
