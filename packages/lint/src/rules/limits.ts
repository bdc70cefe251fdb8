import { SKILL_LIMITS } from "@skillwright/core";
import type { LintedFile } from "../lint-finding.js";
import type { CheckedRule } from "../lint-rule.js";
import { skillFileOf } from "../lint-subject.js";

const MAX_DEPTH = 32;
const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** SEC-21: sizes at which stores and clients start to refuse a skill. */
export const limits: CheckedRule = {
  id: "SEC-21",
  severity: "error",
  title: "More files, bytes, folder levels or header than a skill may have",
  help: "Remove what the skill does not need, and fetch large data when it is used.",
  *check({ skill, skillText, headerLimit }) {
    const { files } = skill;
    if (files.length > SKILL_LIMITS.files)
      yield { message: `The skill has ${files.length} files; ${SKILL_LIMITS.files} are allowed.` };
    const bytes = files.reduce((sum, file) => sum + sizeOf(file), 0);
    if (bytes > SKILL_LIMITS.bytes)
      yield { message: `The skill has ${bytes} bytes; ${SKILL_LIMITS.bytes} are allowed.` };
    const skillFile = skillFileOf(skill);
    for (const file of files) {
      const { path } = file;
      const most = file === skillFile ? SKILL_LIMITS.skillFileBytes : MAX_FILE_BYTES;
      if (sizeOf(file) > most)
        yield { message: `The file has ${sizeOf(file)} bytes; ${most} are allowed.`, path };
      const depth = path.split("/").length;
      if (depth > MAX_DEPTH)
        yield { message: `The path is ${depth} levels deep; ${MAX_DEPTH} are allowed.`, path };
    }
    if (headerLimit && skillText) yield { message: headerLimit, path: skillText.path, line: 1, column: 1 };
  },
};

function sizeOf({ size, content }: LintedFile): number {
  return size ?? (content === undefined ? 0 : Buffer.byteLength(content));
}
