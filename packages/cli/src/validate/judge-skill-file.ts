import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { basename, relative } from "node:path";
import { type Diagnostic, readBytes, SKILL_LIMITS, SkillError, validateSkill } from "@skillwright/core";
import { directoryName } from "../skills/find-skill-files.js";

export interface JudgedSkill {
  /** Relative to the working directory where it is below it, else absolute. */
  readonly path: string;
  readonly valid: boolean;
  readonly findings: readonly Diagnostic[];
}

/** Reads one SKILL.md and judges it; a file that cannot be read is a finding, not an error. */
export async function judgeSkillFile(file: string, cwd: string): Promise<JudgedSkill> {
  const findings = [...(await contentFindings(file)), ...fileNameFindings(basename(file))];
  const fromHere = relative(cwd, file);
  const path = fromHere.startsWith("..") ? file : fromHere;
  return { path, valid: findings.every(({ severity }) => severity !== "error"), findings };
}

async function contentFindings(file: string): Promise<readonly Diagnostic[]> {
  try {
    // Without O_NONBLOCK a pipe by that name would wait for a writer.
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!(await handle.stat()).isFile()) return [unreadable("it is not a regular file")];
    const content = await readBytes(
      handle.createReadStream({ autoClose: false }),
      SKILL_LIMITS.skillFileBytes,
    );
    return validateSkill(content, { directoryName: directoryName(file) });
  } catch (error) {
    if (SkillError.is(error, "LIMIT_EXCEEDED")) return [TOO_LARGE];
    return [unreadable(error instanceof Error ? error.message : String(error))];
  }
}

function fileNameFindings(name: string): readonly Diagnostic[] {
  if (name === "SKILL.md") return [];
  return [
    {
      code: "file.name-not-exact",
      severity: "info",
      message: `The file is called ${name}; many clients look for SKILL.md only.`,
      hint: "Rename it to SKILL.md.",
      path: name,
    },
  ];
}

function unreadable(reason: string): Diagnostic {
  return {
    code: "file.unreadable",
    severity: "error",
    message: `The file cannot be read: ${reason}.`,
    hint: "Check what it is and who may read it.",
    path: "SKILL.md",
  };
}

const TOO_LARGE: Diagnostic = {
  code: "file.too-large",
  severity: "error",
  message: "The file is larger than 1 MiB.",
  hint: "Move parts of it into files below references/.",
  path: "SKILL.md",
};
