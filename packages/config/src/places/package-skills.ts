import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isContainedPath } from "@skillwright/core";
import { type SkillPlace, skillPlace } from "./skill-place.js";

/** Further direct dependencies are ignored. */
const MAX_PACKAGES = 500;

/**
 * The skill folders of the project's direct dependencies: named by the field `skillwright.skills` of their
 * package.json, otherwise `skills/` where the keyword `agent-skills` is present. Only the manifests are read; nothing
 * is run.
 */
export async function packageSkills(project: string): Promise<readonly SkillPlace[]> {
  const manifest = await readManifest(project);
  const names = [...Object.keys(manifest.dependencies ?? {}), ...Object.keys(manifest.devDependencies ?? {})];
  const found = await Promise.all(
    [...new Set(names)].filter(isContainedPath).sort().slice(0, MAX_PACKAGES).map(placeOf),
  );
  return found.filter((place) => place !== undefined);

  async function placeOf(name: string): Promise<SkillPlace | undefined> {
    for (const directory of foldersAbove(project)) {
      const home = join(directory, "node_modules", name);
      const own = await readManifest(home);
      if (Object.keys(own).length === 0) continue;
      const folder = skillsFolder(own);
      return folder === undefined
        ? undefined
        : skillPlace("package", `package ${name}`, join(home, folder), false);
    }
    return undefined;
  }
}

interface PackageManifest {
  readonly dependencies?: object;
  readonly devDependencies?: object;
  readonly keywords?: unknown;
  readonly skillwright?: { readonly skills?: unknown } | null;
}

function skillsFolder({ skillwright, keywords }: PackageManifest): string | undefined {
  const named = skillwright?.skills;
  const folder = typeof named === "string" ? named.replace(/^\.\//, "").replace(/\/$/, "") : undefined;
  if (folder !== undefined) return isContainedPath(folder) ? folder : undefined;
  return Array.isArray(keywords) && keywords.includes("agent-skills") ? "skills" : undefined;
}

async function readManifest(directory: string): Promise<PackageManifest> {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
    return typeof manifest === "object" && manifest !== null ? manifest : {};
  } catch {
    return {};
  }
}

function foldersAbove(directory: string): string[] {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [directory, ...foldersAbove(parent)];
}
