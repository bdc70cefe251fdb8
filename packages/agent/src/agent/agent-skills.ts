import type { CheckedAgentConfig } from "@skillwright/config";
import { openSkillsPackage, type SkillsPackageConfig } from "@skillwright/config";
import { type Diagnostic, type SkillCatalog, SkillError } from "@skillwright/core";
import { skillBox } from "@skillwright/skillbox";

export interface AgentSkills {
  readonly catalog: SkillCatalog;
  /** Texts of the package's `commands/*.md`, by name. */
  readonly commandFiles: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
  /** Closes what was opened here; a catalogue that was passed in stays open. */
  close(): Promise<void>;
}

/** The skills of the configuration's package, or those passed in. Both is an error; neither means no skills. */
export async function agentSkills(
  config: CheckedAgentConfig,
  handedIn: SkillCatalog | undefined,
): Promise<AgentSkills> {
  const { skillsPackage } = config;
  if (skillsPackage && handedIn) throw twoSources();
  if (!skillsPackage) {
    const catalog = handedIn ?? skillBox({});
    const close = async () => (handedIn ? undefined : catalog.close());
    return { catalog, commandFiles: new Map(), diagnostics: [], close };
  }
  return packageSkills(skillsPackage, config.sandbox.workDir);
}

async function packageSkills(config: SkillsPackageConfig, workDir: string): Promise<AgentSkills> {
  const opened = await openSkillsPackage(config, { workDir });
  const catalog = skillBox({ package: opened.repository });
  return {
    catalog,
    commandFiles: opened.commands,
    diagnostics: opened.diagnostics,
    close: async () => {
      await catalog.close();
      await opened.close();
    },
  };
}

function twoSources(): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    "skillsPackage: given together with a catalogue as `skills`; expected only one of them. Remove one.",
    { details: { fields: [{ path: "skillsPackage" }] } },
  );
}
