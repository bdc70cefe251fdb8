import type { Diagnostic, JsonValue } from "@skillwright/core";
import type { PluginSkill } from "../plugin.js";
import { pluginDiagnostic } from "../plugin-diagnostic.js";
import { type FindSkillsOptions, findSkills, skillAt, skillPlace } from "../skills/find-skills.js";
import { CLAUDE_MANIFEST } from "./claude-manifest.js";
import { componentPaths } from "./component-paths.js";

/** The skills of `skills/`, and those of the manifest's paths: each a folder of skills, or a skill itself. */
export async function claudeSkills(
  given: JsonValue = [],
  root: string,
  tell: (diagnostic: Diagnostic) => void,
): Promise<readonly PluginSkill[]> {
  const options: FindSkillsOptions = { root, profile: "client", tell };
  const paths = componentPaths("skills", given, tell);
  const skills = new Map<string, PluginSkill>();
  for (const path of ["skills", ...paths.filter((path) => path !== "skills")])
    for (const skill of await skillsAt(path, options)) skills.set(skill.path, skill);
  return [...skills.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function skillsAt(path: string, options: FindSkillsOptions): Promise<readonly PluginSkill[]> {
  const { kind } = await skillPlace(path, options);
  if (kind === "unreadable") return [];
  if (kind === "inside") {
    const isSkill = (await skillPlace(`${path}/SKILL.md`, options)).kind === "inside";
    return isSkill ? await skillAt(path, options) : await findSkills(path, options);
  }
  if (kind === "absent" && path === "skills") return [];
  options.tell(
    pluginDiagnostic(
      ["plugin.path-invalid", "error"],
      `The path ./${path} for skills ${kind === "outside" ? "leads out of the plugin" : "does not exist"}; it is ignored.`,
      "Correct the path, or add the folder.",
      CLAUDE_MANIFEST,
    ),
  );
  return [];
}
