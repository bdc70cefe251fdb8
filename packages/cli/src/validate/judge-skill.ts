import { basename, dirname, join } from "node:path";
import type { ValidationProfile } from "@skillwright/core";
import type { LintedFile } from "@skillwright/lint";
import type { NeedsPlace } from "../environments/skill-needs.js";
import { reportedPath } from "../terminal/shown-path.js";
import { folderNeeds } from "./folder-needs.js";
import { judgeFiles } from "./judge-files.js";
import type { JudgedSkill } from "./judged-skill.js";
import { readSkillFile } from "./read-skill-file.js";
import { skillFolderFiles } from "./skill-folder-files.js";

export interface JudgeOptions {
  /** Base of reported paths. */
  readonly cwd: string;
  readonly profile: ValidationProfile;
  /** True where every file of the skill's folder is read and linted. */
  readonly lint: boolean;
  /** Folders below the skill that are validated as separate skills, so that nothing is reported twice. */
  readonly skillFolders?: ReadonlySet<string>;
  /** Where the skill's needs are looked up; without it they are not read. */
  readonly needs?: NeedsPlace;
  /** Receives the files that were read and linted. */
  readonly onFiles?: (files: readonly LintedFile[]) => void;
}

/**
 * Validates one SKILL.md, given by its absolute path, and the folder around it. Unreadable files are findings, not
 * errors. Links are never followed below the folder.
 */
export async function judgeSkill(path: string, options: JudgeOptions): Promise<JudgedSkill> {
  const { cwd, profile, lint } = options;
  const directory = dirname(path);
  const directoryName = basename(directory);
  const skillFile = await readSkillFile(path);
  const folder = lint ? await skillFolderFiles(directory, options.skillFolders) : undefined;
  options.onFiles?.(folder?.files ?? []);
  const judged = judgeFiles(
    { directoryName, fileName: basename(path), skillFile, ...folder },
    { profile, shown: (file) => reportedPath(join(directory, file), cwd) },
  );
  const content = "content" in skillFile ? skillFile.content : undefined;
  const needs =
    options.needs && (await folderNeeds(directoryName, content, folder?.files ?? [], options.needs));
  return { ...judged, ...(needs && { needs }) };
}
