import { isUtf8 } from "node:buffer";
import { SkillError } from "@skillwright/core";
import { shownAddress } from "../address/shown-address.js";
import type { Download } from "../transfer/taken-answer.js";

export type PayloadKind = "archive" | "skill-md" | "index";

/** The first bytes of zip and gzip files. */
const ARCHIVE_STARTS = ["504b0304", "504b0506", "1f8b"];
const MARKDOWN_TYPES = new Set(["text/markdown", "text/x-markdown"]);
/** Content types that servers use for unknown files. */
const PLAIN_TYPES = new Set(["", "text/plain", "application/octet-stream"]);

/**
 * Determines the kind of a download: by its content, where that is clear, then by the content type; the extension
 * counts only where the content type does not contradict it.
 * @throws SkillError `SKILL_INVALID` for anything else, such as a web page.
 */
export function payloadKind({ bytes, contentType }: Download, url: URL): PayloadKind {
  const start = Buffer.from(bytes.subarray(0, 4)).toString("hex");
  if (ARCHIVE_STARTS.some((mark) => start.startsWith(mark))) return "archive";
  if (!isUtf8(bytes) || bytes.includes(0)) throw unknown(url, contentType);
  const text = new TextDecoder().decode(bytes.subarray(0, 1024)).trimStart();
  if (text.startsWith("{") && !MARKDOWN_TYPES.has(contentType)) return "index";
  if (MARKDOWN_TYPES.has(contentType)) return "skill-md";
  const isPlain = PLAIN_TYPES.has(contentType);
  if (isPlain && (/^---[ \t]*\r?\n/.test(text) || /\.md$/i.test(url.pathname))) return "skill-md";
  throw unknown(url, contentType);
}

function unknown(url: URL, contentType: string): SkillError {
  const type =
    contentType === "" ? "of no named type" : `of the type ${JSON.stringify(contentType.slice(0, 100))}`;
  const message = `${shownAddress(url)} returned content ${type} that is not a zip, tar.gz, SKILL.md or index of skills. Give the address of one of these.`;
  return new SkillError("SKILL_INVALID", message);
}
