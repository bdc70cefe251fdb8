import { type CatalogSnapshot, type SkillCatalog, skillFields } from "@skillwright/core";
import { injector } from "@skillwright/injector";
import { type SkillHost, skillBox } from "@skillwright/skillbox";
import { equivalentTool, type SkillToolsPreset } from "@skillwright/tools";
import { workspaceManager } from "@skillwright/workspace";
import type { CliContext } from "../cli-context.js";
import { storeOf } from "../environments/configured-store.js";
import { catalogNeeds, type NeedsPlace, type SkillNeeds } from "../environments/skill-needs.js";
import { configuredCatalog } from "../places/configured-catalog.js";
import { commandRuntime } from "../run/command-runtime.js";
import { counted } from "../terminal/amounts.js";
import { checkConfiguration } from "./check-configuration.js";
import { checkPlaces } from "./check-places.js";
import type { Finding } from "./finding.js";

export interface CheckedSkills {
  readonly findings: readonly Finding[];
  /** What each usable skill needs; skills that need nothing are left out. */
  readonly needs: readonly (SkillNeeds & { readonly skill: string })[];
}

/**
 * Reports what is configured, what is loaded from where, and what is hidden, left out, broken or cut, each with the
 * reason.
 */
export async function checkSkills(context: CliContext, flags: readonly string[]): Promise<CheckedSkills> {
  const { signal } = context;
  await using configured = await configuredCatalog(context, flags);
  const { loaded, places, usable, host } = configured;
  const snapshot = await usable.snapshot({ signal });
  const { maxIndexChars, maxListedSkills } = loaded.configuration.skills;
  const { store } = storeOf(loaded.configuration.agent);
  const place = { store: async () => store, env: context.env };
  const needs = await needsOf(snapshot, usable, place);
  const findings = [
    ...checkConfiguration(loaded, places),
    ...checkPlaces(places, snapshot),
    ...cutFindings(snapshot, maxIndexChars, maxListedSkills),
    ...needs.flatMap(packageFindings),
    ...(await hintFindings(snapshot, host, loaded.configuration.tools)),
  ];
  return { findings, needs };
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

/** What the skills need, except those that need nothing. */
async function needsOf(
  { skills }: CatalogSnapshot,
  catalog: SkillCatalog,
  place: NeedsPlace,
): Promise<CheckedSkills["needs"]> {
  const found: (SkillNeeds & { readonly skill: string })[] = [];
  for (const { name } of skills) {
    // A skill that cannot be loaded is reported with its source.
    const skill = await catalog.load(name).catch(() => undefined);
    if (!skill) continue;
    const { packages, unprepared, named } = await catalogNeeds(skill, catalog, place);
    if (packages.length + unprepared.length + named.length > 0)
      found.push({ skill: name, packages, unprepared, named });
  }
  return found;
}

/** Packages that are prepared, missing, or cannot be prepared; and what SKILL.md names and is not found. */
function packageFindings({ skill, packages, unprepared, named }: CheckedSkills["needs"][number]): Finding[] {
  const limited = (message: string, remedy: string): Finding => ({
    check: "packages",
    state: "limited",
    message,
    remedy,
  });
  return [
    ...unprepared.map(({ why, remedy }) => limited(why, remedy)),
    ...packages.map(
      ({ declaredIn, packages: { length }, prepared }): Finding =>
        prepared
          ? {
              check: "packages",
              state: "ok",
              message: `The ${counted(length, "package")} in ${declaredIn} of the skill "${skill}" are prepared.`,
            }
          : limited(
              `The skill "${skill}" needs ${counted(length, "package")} of its ${declaredIn}, which are not prepared on this machine.`,
              `Run \`skillwright env prepare ${skill}\`, or allow an agent to install them.`,
            ),
    ),
    ...named
      .filter(({ present }) => present !== true)
      .map(({ kind, name, declaredIn, present, remedy }) =>
        limited(
          `The skill "${skill}" names ${name} (${kind}) in \`${declaredIn}\`, not locked${present === false ? ", and it is not found here" : ""}.`,
          remedy,
        ),
      ),
  ];
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
  await using runtime = commandRuntime({ isolation: "none" });
  await using skills = skillBox({});
  await using workspaces = workspaceManager({ skills, runtime });
  const everything = { skills, workspaces, search: true, manage: true, calls: true, interactive: true };
  const presets = Object.keys(PRESETS) as readonly SkillToolsPreset[];
  return new Set(presets.flatMap((preset) => skillTools({ ...everything, preset }).map(({ name }) => name)));
}

/** A missing preset here does not compile. */
const PRESETS: Readonly<Record<SkillToolsPreset, true>> = {
  load: true,
  activate: true,
  read: true,
  files: true,
};
