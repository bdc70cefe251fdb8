import { loadConfiguration } from "@skillwright/config";
import {
  type Skill,
  type SkillCatalog,
  SkillError,
  type SkillOrigin,
  type SkillRepository,
} from "@skillwright/core";
import { fsRepository } from "@skillwright/repository-fs";
import { type SkillSettings, skillBox } from "@skillwright/skillbox";
import type { CliContext } from "../cli-context.js";
import { configuredCatalog } from "../places/configured-catalog.js";
import { skillReference } from "./skill-reference.js";

export interface OpenedSkill extends AsyncDisposable {
  readonly skill: Skill & SkillOrigin;
  /** A catalogue that has the skill under its name. */
  readonly catalog: SkillCatalog;
  /** The configured skill settings. @throws SkillError `CONFIG_INVALID` naming the file and the field. */
  readonly settings: () => Promise<SkillSettings>;
}

/**
 * Opens the skill named on the command line, with its catalogue. A folder given explicitly counts as trusted.
 * @throws SkillError `SKILL_NOT_FOUND`, `SKILL_INVALID`, `FILE_NOT_FOUND`, `CONFIG_INVALID`.
 */
export async function openSkill(
  text: string,
  flags: readonly string[],
  context: Pick<CliContext, "cwd" | "env" | "signal" | "bundledSkills" | "remark">,
): Promise<OpenedSkill> {
  const reference = await skillReference(text, context.cwd);
  const { signal } = context;
  if (reference.kind === "folder") {
    const settings = async () => (await loadConfiguration(context)).configuration.skills.settings;
    const catalog = skillBox({ folder: onlyFolder(reference.directory) });
    const name = () => nameOfOnly(catalog, reference.directory, signal);
    return await opened({ catalog, settings, name, close: () => catalog.close(), signal });
  }
  const configured = await configuredCatalog(context, flags);
  try {
    return await opened({
      catalog: configured.whole,
      settings: async () => configured.settings,
      name: async () => reference.name,
      close: async () => await configured[Symbol.asyncDispose](),
      signal,
    });
  } catch (error) {
    // It may be among the skills that were ignored.
    if (SkillError.is(error, "SKILL_NOT_FOUND"))
      context.remark(...configured.loaded.diagnostics.map(({ message, hint }) => `${message} ${hint}`));
    throw error;
  }
}

interface Opening {
  readonly catalog: SkillCatalog;
  readonly settings: OpenedSkill["settings"];
  readonly name: () => Promise<string>;
  readonly close: () => Promise<void>;
  readonly signal: AbortSignal | undefined;
}

async function opened({ catalog, settings, name, close, signal }: Opening): Promise<OpenedSkill> {
  try {
    const skill = await catalog.load(await name(), { signal });
    return { skill, catalog, settings, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Only the folder's own skill, without nested ones. */
function onlyFolder(directory: string): SkillRepository {
  const { find: _, ...repository } = fsRepository({ root: directory });
  return {
    ...repository,
    async list(options) {
      const { skills, broken, diagnostics } = await repository.list(options);
      return {
        skills: skills.filter(({ path }) => path === "."),
        broken: broken.filter(({ path }) => path === "."),
        diagnostics,
      };
    },
  };
}

async function nameOfOnly(
  catalog: SkillCatalog,
  directory: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { skills, broken } = await catalog.snapshot({ signal });
  if (skills[0]) return skills[0].name;
  const reasons = broken
    .flatMap(({ diagnostics }) => diagnostics)
    .map(({ message, hint }) => `${message} ${hint}`);
  throw new SkillError(
    "SKILL_INVALID",
    `The skill in ${directory} cannot be used. ${reasons.join(" ")} Run "skillwright validate" for details.`,
  );
}
