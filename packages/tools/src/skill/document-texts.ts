import type { Diagnostic, Skill, SkillCatalog } from "@skillwright/core";
import { textRange } from "../text-range.js";
import { wrappedText } from "./wrapped-text.js";

const KIB = 1024;
/** Maximum shown of one document. */
const MAX_DOCUMENT_BYTES = 64 * KIB;
/** Maximum shown in one answer. */
const MAX_ANSWER_BYTES = 256 * KIB;

export interface DocumentTexts {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The documents' text, each in its own tag: at most 64 KiB of one, 256 KiB in total. What is cut or omitted is reported
 * in the text and as diagnostics.
 */
export async function documentTexts(
  skills: SkillCatalog,
  skill: Skill,
  paths: readonly string[],
  options: { signal?: AbortSignal | undefined },
): Promise<DocumentTexts> {
  const texts: string[] = [];
  const diagnostics: Diagnostic[] = [];
  let room = MAX_ANSWER_BYTES;
  for (const path of paths) {
    const size = skill.manifest.files.find((file) => file.path === path)?.size ?? 0;
    const limit = Math.min(MAX_DOCUMENT_BYTES, room);
    const shown =
      limit === 0 ? undefined : await textRange(await skills.open(skill.name, path, options), 0, limit);
    const attributes = { skill: skill.name, path };
    room -= Math.min(limit, size);
    if (shown && !shown.binary) texts.push(wrappedText("loaded_document", attributes, shown.text));
    if (shown?.binary) diagnostics.push(notText(path));
    else if (!shown || shown.nextOffset !== undefined)
      diagnostics.push(cut(path, shown?.nextOffset ?? 0, size));
  }
  return {
    text: [...texts, ...diagnostics.map(({ message }) => `Note: ${message}`)].join("\n"),
    diagnostics,
  };
}

function cut(path: string, shown: number, size: number): Diagnostic {
  return {
    code: "document.cut",
    severity: "warning",
    message: `Only ${shown} of ${size} bytes of "${path}" are shown.`,
    hint: "Select fewer documents at a time, or read the file with a command.",
    path,
  };
}

function notText(path: string): Diagnostic {
  return {
    code: "document.not-text",
    severity: "warning",
    message: `"${path}" is not shown because it is not UTF-8 text.`,
    hint: "Save it as UTF-8.",
    path,
  };
}
