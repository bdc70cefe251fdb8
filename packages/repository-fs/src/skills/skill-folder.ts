import { basename, join, sep } from "node:path";
import type { Diagnostic } from "@skillwright/core";
import { repositoryDiagnostic, type SkillRules, skillRules } from "@skillwright/core/adapter";
import { type SeenPath, seenPath } from "../files/seen-paths.js";
import { isSettled } from "../files/stamp.js";
import { markOf } from "./change-mark.js";
import { flatSkill } from "./flat-skill.js";
import type { FolderPlace, FoundFolders, SkillFolder } from "./folder-place.js";
import type { SeenFolder } from "./see-folder.js";
import { type SkillFile, type SkillFiles, skillFiles } from "./skill-files.js";

/** The rules of a repository without options. */
export const SKILL_RULES: SkillRules = skillRules();

/** The skill at the place, and every skill nested in it. */
export async function skillFolders(
  place: FolderPlace,
  signal: AbortSignal | undefined,
  seen?: SeenFolder,
): Promise<FoundFolders> {
  if (place.flat) return await flatSkill(place);
  const found = await skillFiles(place.directory, signal, place.rules ?? SKILL_RULES, seen);
  const folders = [
    skillFolder(place, found.files, found.diagnostics),
    ...innerPlaces(place, found).map((inner) => innerFolder(place, inner, found)),
  ];
  const isWatchable = !found.hasLinks && found.files.every(({ stat }) => stat.nlink === 1n);
  const device = (seen?.skillFile?.stat ?? found.files[0]?.stat)?.dev;
  const paths = seen && folders.length === 1 ? settledPaths(found, seen.now) : undefined;
  return { folders, directories: [...found.directories.values()], isWatchable, device, paths };
}

/** `undefined` where something was changed so recently that another change could leave the same stamp. */
function settledPaths(found: SkillFiles, now: number): readonly SeenPath[] | undefined {
  const { stamped, files, diagnostics, hasLinks } = found;
  if (!stamped || hasLinks || diagnostics.length > 0) return undefined;
  const paths = [...stamped, ...files.map(({ location, stat }) => seenPath(location, stat))];
  return paths.every((seen) => isSettled(seen, now)) ? paths : undefined;
}

/** Returns a diagnostic where the skill exceeds a limit. */
export function excess({ files, path, rules = SKILL_RULES }: SkillFolder): Diagnostic | undefined {
  if (files.length > rules.files) return repositoryDiagnostic("skill.too-many-files", path);
  const bytes = files.reduce((sum, { stat }) => sum + stat.size, 0n);
  return bytes > rules.bytes ? repositoryDiagnostic("skill.too-large", path) : undefined;
}

function skillFolder(
  place: FolderPlace,
  files: readonly SkillFile[],
  diagnostics: readonly Diagnostic[],
): SkillFolder {
  return { ...place, files, diagnostics, changeMark: markOf(files) };
}

/** Each directory once, by its own path rather than by a link to it. */
function innerPlaces(outer: FolderPlace, { files, directories }: SkillFiles): FolderPlace[] {
  const inside = files.map(({ path }) => path).filter(isInnerSkillFile);
  if (inside.length === 0) return [];
  const places = inside.map((path): FolderPlace => {
    const folder = path.slice(0, -"/SKILL.md".length);
    return {
      path: folder,
      name: basename(folder),
      directory: directories.get(folder) ?? "",
      rules: outer.rules,
    };
  });
  const direct = places.filter(({ path, directory }) => directory === join(outer.directory, path));
  const byDirectory = new Map([...places, ...direct].map((place) => [place.directory, place]));
  return [...byDirectory.values()];
}

/** Hidden directories and installed packages are not searched for skills; their content is just files. */
function isInnerSkillFile(path: string): boolean {
  return path.endsWith("/SKILL.md") && !/(^|\/)(\.|node_modules\/)/.test(path);
}

function innerFolder(outer: FolderPlace, inner: FolderPlace, found: SkillFiles): SkillFolder {
  const prefix = `${inner.path}/`;
  const files: SkillFile[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { path, ...file } of found.files.filter((outerFile) => outerFile.path.startsWith(prefix))) {
    const inside = path.slice(prefix.length);
    if (file.location.startsWith(inner.directory + sep)) files.push({ path: inside, ...file });
    else diagnostics.push(repositoryDiagnostic("file.link", inside));
  }
  for (const diagnostic of found.diagnostics)
    if (diagnostic.path?.startsWith(prefix))
      diagnostics.push({ ...diagnostic, path: diagnostic.path.slice(prefix.length) });
  const path = outer.path === "." ? inner.path : `${outer.path}/${inner.path}`;
  return skillFolder({ ...inner, path }, files, diagnostics);
}
