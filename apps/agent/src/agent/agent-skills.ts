import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type Diagnostic, type SkillCatalog, SkillError } from "@skillwright/core";
import { fsRepository } from "@skillwright/repository-fs";
import { skillBox } from "@skillwright/skillbox";
import { type UserCommands, userCommands } from "../skills/user-commands.js";
import { type HiddenSkill, withoutSkills } from "../skills/without-skills.js";
import type { CheckedAgentConfig, SkillsPackageConfig } from "./agent-config.js";

export interface AgentSkills {
  readonly catalog: SkillCatalog;
  readonly commands: UserCommands | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Closes what was opened here; a catalogue that was handed in stays open. */
  close(): Promise<void>;
}

/** The skills of the package in the configuration, or those handed in. Both is an error, neither is no skill. */
export async function agentSkills(
  config: CheckedAgentConfig,
  handedIn: SkillCatalog | undefined,
): Promise<AgentSkills> {
  const { skillsPackage } = config;
  if (skillsPackage && handedIn) throw twoSources();
  if (!skillsPackage) {
    const catalog = handedIn ?? skillBox({});
    const close = async () => (handedIn ? undefined : catalog.close());
    return { catalog, commands: undefined, diagnostics: [], close };
  }
  return packageSkills(skillsPackage, config.sandbox.workDir);
}

async function packageSkills(config: SkillsPackageConfig, workDir: string): Promise<AgentSkills> {
  const base = resolve(workDir, config.path);
  const root = resolve(base, config.skillsDir);
  if (!(await stat(root).catch(() => undefined))?.isDirectory()) throw noFolder(root);
  const repository = fsRepository({ root });
  const box = skillBox({ package: repository });
  const { enabledSkills: enabled } = config;
  const catalog = enabled ? withoutSkills(box, ({ name }) => notEnabled(name, enabled)) : box;
  const commands = await userCommands(resolve(base, config.commandsDir), config.enabledCommands);
  const present = new Set((await box.snapshot()).skills.map(({ name }) => name));
  const unknown = (enabled ?? []).filter((name) => !present.has(name));
  return {
    catalog,
    commands,
    diagnostics: [
      ...unknown.map((name) => unknownSkill(name, root)),
      ...commands.diagnostics,
      ...(config.version === undefined ? [] : [versionWithoutEffect(config.version)]),
    ],
    close: async () => {
      await catalog.close();
      await repository.close();
    },
  };
}

function notEnabled(name: string, enabled: readonly string[]): HiddenSkill | undefined {
  if (enabled.includes(name)) return undefined;
  return {
    code: "SKILL_NOT_FOUND",
    diagnostic: {
      code: "config.skill-not-enabled",
      severity: "info",
      message: `The skill "${name}" is not enabled.`,
      hint: "Name it in skillsPackage.enabledSkills to use it.",
    },
  };
}

function unknownSkill(name: string, root: string): Diagnostic {
  return {
    code: "config.unknown-skill",
    severity: "warning",
    message: `The enabled skill "${name}" is not in ${root}, or it is broken there.`,
    hint: "Check the name, or take it out of skillsPackage.enabledSkills.",
  };
}

function versionWithoutEffect(version: string): Diagnostic {
  return {
    code: "config.version-without-effect",
    severity: "warning",
    message: `skillsPackage.version "${version}" has no effect: a local folder has one version.`,
    hint: "Leave it out, or point skillsPackage.path to the folder of that version.",
  };
}

function noFolder(root: string): SkillError {
  const fields = [{ path: "skillsPackage.path", given: root, expected: "a folder" }];
  return new SkillError(
    "CONFIG_INVALID",
    `skillsPackage.path and skillsPackage.skillsDir lead to ${root}; expected a folder with skills there. ` +
      "Make it, or correct one of the two (both are relative to sandbox.workDir).",
    { details: { fields } },
  );
}

function twoSources(): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    "skillsPackage: given together with a catalogue handed in as `skills`; expected one of them. Leave one out.",
    { details: { fields: [{ path: "skillsPackage" }] } },
  );
}
