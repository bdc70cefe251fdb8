import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isSkillName } from "@skillwright/core";
import { ifThere } from "@skillwright/core/adapter";
import { EXAMPLES } from "./example-files.js";
import { invalidName, makeFolder } from "./new-folder.js";
import { type NewSkillText, skillTemplate } from "./skill-template.js";

export interface MakeSkillOptions extends NewSkillText {
  /**
   * The directory in which the skill's folder is created; defaults to `skills` where that exists, otherwise to the
   * working directory.
   */
  readonly directory: string | undefined;
}

export interface MadeSkill {
  /** Absolute. */
  readonly directory: string;
  /** Relative to it. */
  readonly files: readonly string[];
}

/**
 * Creates the folder of a new skill.
 * @throws SkillError `INPUT_INVALID` for a name that the standard refuses, `SKILL_EXISTS` where the folder exists.
 */
export async function makeSkill(options: MakeSkillOptions, cwd: string): Promise<MadeSkill> {
  const { name, folders } = options;
  checkName(name);
  const text = skillTemplate(options);
  const directory = join(resolve(cwd, options.directory ?? (await defaultDirectory(cwd))), name);
  await makeFolder(directory, "SKILL_EXISTS");
  const files = [{ path: "SKILL.md", text, executable: false }, ...folders.map((folder) => EXAMPLES[folder])];
  try {
    for (const { path, text, executable } of files) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), text, { flag: "wx", mode: executable ? 0o777 : 0o666 });
    }
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
  return { directory, files: files.map(({ path }) => path) };
}

function checkName(name: string): void {
  if (isSkillName(name) && /^[a-z0-9-]+$/.test(name)) return;
  throw invalidName(name, "skill", "single hyphens between them");
}

async function defaultDirectory(cwd: string): Promise<string> {
  const found = await ifThere(stat(join(cwd, "skills")));
  return found?.isDirectory() ? "skills" : ".";
}
