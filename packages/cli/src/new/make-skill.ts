import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isSkillName, SkillError } from "@skillwright/core";
import { EXAMPLES } from "./example-files.js";
import { type NewSkillText, skillTemplate } from "./skill-template.js";
import { suggestedName } from "./suggested-name.js";

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
  await makeFolder(directory);
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
  const suggestion = suggestedName(name);
  const remedy = suggestion === undefined ? "" : ` Try "${suggestion}".`;
  throw new SkillError(
    "INPUT_INVALID",
    `${JSON.stringify(name)} is not a valid skill name: use 1 to 64 characters a to z, 0 to 9, and single hyphens between them.${remedy}`,
    { details: { name, suggestion } },
  );
}

async function defaultDirectory(cwd: string): Promise<string> {
  const found = await stat(join(cwd, "skills")).catch(() => undefined);
  return found?.isDirectory() ? "skills" : ".";
}

async function makeFolder(directory: string): Promise<void> {
  await mkdir(dirname(directory), { recursive: true });
  try {
    await mkdir(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new SkillError(
      "SKILL_EXISTS",
      `${directory} already exists. Choose another name, or another folder with --dir.`,
      { cause: error },
    );
  }
}
