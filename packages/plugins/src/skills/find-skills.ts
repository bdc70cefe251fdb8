import { readdir, stat } from "node:fs/promises";
import { basename, join, posix } from "node:path";
import { type Diagnostic, parseSkill, SKILL_LIMITS, SkillError, validateSkill } from "@skillwright/core";
import { type PackagePlace, packagePlace } from "../files/package-path.js";
import { readRegularFile } from "../files/read-file.js";
import type { PluginSkill } from "../plugin.js";
import { pluginDiagnostic } from "../plugin-diagnostic.js";

export interface FindSkillsOptions {
  /** The plugin's root, without symlinks. */
  readonly root: string;
  /** `spec`: a skill that breaks a rule of the standard is left out. `client`: one that cannot be loaded. */
  readonly profile: "spec" | "client";
  readonly tell: (diagnostic: Diagnostic) => void;
}

/**
 * Finds the skills of a folder: each folder directly in it with a file that is named exactly SKILL.md. Deeper ones are
 * not looked for. A skill that is left out is reported.
 * @param folder Relative to the root, with `/` between parts.
 */
export async function findSkills(
  folder: string,
  options: FindSkillsOptions,
): Promise<readonly PluginSkill[]> {
  const { tell } = options;
  const place = await skillPlace(folder, options);
  if (place.kind === "absent" || place.kind === "unreadable") return [];
  if (place.kind === "outside") tell(leavesPlugin(folder, "Its skills are left out."));
  const isFolder = place.kind === "inside" && (await stat(place.path)).isDirectory();
  if (!isFolder && place.kind !== "outside")
    tell(
      skillsInvalid(
        `${folder} is not a folder, so the plugin has no skills of it.`,
        "Make it a folder with one folder for each skill.",
        folder,
      ),
    );
  if (!isFolder) return [];
  const skills: PluginSkill[] = [];
  for (const name of await namesIn(place.path, folder, tell))
    skills.push(...(await skillAt(posix.join(folder, name), options)));
  return skills;
}

/** The skill of one folder; none where it has no SKILL.md. */
export async function skillAt(path: string, options: FindSkillsOptions): Promise<readonly PluginSkill[]> {
  const { root, profile, tell } = options;
  const place = await skillPlace(path, options);
  if (place.kind === "outside") tell(leavesPlugin(path, "It is left out."));
  if (place.kind !== "inside" || !(await stat(place.path)).isDirectory()) return [];
  const entry = (await namesIn(place.path, path, tell)).find((name) => name === "SKILL.md");
  if (entry === undefined) return [];
  const content = await skillFile(`${path}/${entry}`, options);
  if (!content) return [];
  const directoryName = basename(join(root, path));
  const faults = validateSkill(content, { directoryName, profile }).filter(
    ({ severity }) => severity === "error",
  );
  const { skill } = parseSkill(content, { directoryName });
  if (skill && faults.length === 0) return [{ name: skill.name, description: skill.description, path }];
  for (const fault of faults) tell({ ...fault, path: `${path}/${entry}` });
  tell(
    leftOut(
      path,
      faults.length === 1 ? "The error in its SKILL.md says why." : "The errors in its SKILL.md say why.",
    ),
  );
  return [];
}

/** Returns where a folder is, and reports one that cannot be looked at. */
export async function skillPlace(
  path: string,
  { root, tell }: FindSkillsOptions,
): Promise<PackagePlace | { readonly kind: "unreadable" }> {
  try {
    return await packagePlace(root, path);
  } catch (error) {
    tell(unreadable(path, error));
    return { kind: "unreadable" };
  }
}

async function namesIn(
  folder: string,
  path: string,
  tell: FindSkillsOptions["tell"],
): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    tell(unreadable(path, error));
    return [];
  }
}

function unreadable(path: string, error: unknown): Diagnostic {
  return skillsInvalid(SkillError.from(error, `Reading ${path}`).message, "Make it readable.", path);
}

async function skillFile(path: string, { root, tell }: FindSkillsOptions): Promise<Uint8Array | undefined> {
  try {
    const place = await packagePlace(root, path);
    if (place.kind === "outside") tell(leavesPlugin(path, "The skill is left out."));
    if (place.kind === "outside") return undefined;
    const content =
      place.kind === "inside" ? await readRegularFile(place.path, SKILL_LIMITS.skillFileBytes) : undefined;
    if (!content) tell(leftOut(path, "It is not a regular file."));
    return content;
  } catch (error) {
    tell(leftOut(path, SkillError.from(error, "Reading it").message));
    return undefined;
  }
}

function leavesPlugin(path: string, effect: string): Diagnostic {
  return pluginDiagnostic(
    ["plugin.outside", "error"],
    `${path} leads out of the plugin. ${effect}`,
    "Copy what it leads to into the plugin.",
    path,
  );
}

function skillsInvalid(message: string, hint: string, path: string): Diagnostic {
  return pluginDiagnostic(["plugin.skills-invalid", "error"], message, hint, path);
}

function leftOut(path: string, why: string): Diagnostic {
  return pluginDiagnostic(
    ["plugin.skill-invalid", "error"],
    `The skill ${path} is left out. ${why}`,
    "Correct it; `skillwright validate` lists all findings.",
    path,
  );
}
