import { type CatalogSnapshot, type SkillCatalog, skillFields } from "@skillwright/core";
import { injector } from "@skillwright/injector";
import { localRuntime } from "@skillwright/runtime-local";
import { type SkillHost, skillBox } from "@skillwright/skillbox";
import { equivalentTool, type SkillToolsPreset } from "@skillwright/tools";
import { environmentStore, workspaceManager } from "@skillwright/workspace";
import type { CliContext } from "../cli-context.js";
import { neededPackages } from "../environments/needed-packages.js";
import { configuredCatalog } from "../places/configured-catalog.js";
import { checkConfiguration } from "./check-configuration.js";
import { checkPlaces } from "./check-places.js";
import type { Finding } from "./finding.js";

/**
 * Reports what is configured, what is loaded from where, and what is hidden, left out, broken or cut, each with the
 * reason.
 */
export async function checkSkills(
  context: CliContext,
  flags: readonly string[],
): Promise<readonly Finding[]> {
  const { signal } = context;
  await using configured = await configuredCatalog(context, flags);
  const { loaded, places, usable, host } = configured;
  const snapshot = await usable.snapshot({ signal });
  const { maxIndexChars, maxListedSkills } = loaded.configuration.skills;
  return [
    ...checkConfiguration(loaded, places),
    ...checkPlaces(places, snapshot),
    ...cutFindings(snapshot, maxIndexChars, maxListedSkills),
    ...(await packageFindings(snapshot, usable)),
    ...(await hintFindings(snapshot, host, loaded.configuration.tools)),
  ];
}

/** The skills that a model would not see with these limits. */
function cutFindings(snapshot: CatalogSnapshot, maxCharacters: number, maxSkills: number): Finding[] {
  const { diagnostics } = injector({ maxCharacters, maxSkills }).overview({ snapshot });
  return diagnostics.map(({ message, hint }) => ({
    check: "overview",
    state: "limited",
    message,
    remedy: hint,
  }));
}

/** Packages that are missing on this machine, and those that cannot be prepared. */
async function packageFindings(
  { skills }: CatalogSnapshot,
  catalog: SkillCatalog,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const add = (message: string, remedy: string) =>
    findings.push({ check: "packages", state: "limited", message, remedy });
  for (const { name } of skills) {
    // A skill that cannot be loaded is reported with its source.
    const skill = await catalog.load(name).catch(() => undefined);
    if (!skill) continue;
    const { needs, diagnostics } = await neededPackages(skill, catalog, environmentStore());
    for (const { message, hint } of diagnostics) add(message, hint);
    for (const { declaredIn, packages, prepared } of needs)
      if (!prepared)
        add(
          `The skill "${name}" needs ${packages.length} packages of its ${declaredIn}, which are not prepared on this machine.`,
          `Run \`skillwright env prepare ${name}\`, or allow an agent to install them.`,
        );
  }
  return findings;
}

/**
 * Known names are the offered tools, the agent's tools listed in the configuration, and every program of the machine.
 */
async function hintFindings(
  { skills }: CatalogSnapshot,
  host: SkillHost,
  configured: readonly string[] = [],
): Promise<Finding[]> {
  const hints = skills
    .map(({ name, frontmatter }) => ({ name, tools: skillFields(frontmatter).toolHints }))
    .filter(({ tools }) => tools.length > 0);
  if (hints.length === 0) return [];
  const known = new Set([...(await offeredTools()), ...configured]);
  const { hasProgram } = await host.look(hints.flatMap(({ tools }) => tools));
  return hints.flatMap(({ name, tools }) => {
    const missing = tools.filter(
      (tool) => !known.has(equivalentTool(tool) ?? tool) && hasProgram(tool) === false,
    );
    if (missing.length === 0) return [];
    return [
      {
        check: "tools",
        state: "limited",
        message: `The skill "${name}" mentions ${missing.map((tool) => JSON.stringify(tool)).join(", ")}, which is neither a tool of the agent nor an installed program.`,
        remedy:
          "Name an available tool in the skill, or give your agent such a tool and list it under `tools` in the configuration.",
      },
    ];
  });
}

/** Names of all tools that an agent of these packages can have, whatever its preset and options. Runs nothing. */
async function offeredTools(): Promise<ReadonlySet<string>> {
  // Imported only here, because no other command needs it.
  const { skillTools } = await import("@skillwright/tools");
  await using runtime = localRuntime({ isolation: "none" });
  await using skills = skillBox({});
  await using workspaces = workspaceManager({ skills, runtime });
  const everything = { skills, workspaces, search: true, manage: true, calls: true, interactive: true };
  const presets = Object.keys(PRESETS) as readonly SkillToolsPreset[];
  return new Set(presets.flatMap((preset) => skillTools({ ...everything, preset }).map(({ name }) => name)));
}

/** A missing preset here does not compile. */
const PRESETS: Readonly<Record<SkillToolsPreset, true>> = { load: true, activate: true, read: true };
