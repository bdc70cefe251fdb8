import { SkillError } from "@skillwright/core";

/**
 * Returns the single directory that contains everything in the archive, or `undefined` where SKILL.md is at the top.
 * @param paths Contained paths of all files.
 * @throws SkillError `SKILL_INVALID` with its own reason for each of: no file, no SKILL.md, SKILL.md elsewhere or
 * spelled differently, several directories at the top.
 */
export function archivedSkillFolder(paths: readonly string[]): string | undefined {
  if (paths.length === 0) throw invalid("The archive has no files. Pack the skill's folder.");
  if (paths.includes("SKILL.md")) return undefined;
  const [folder = "", ...others] = new Set(paths.map((path) => path.split("/", 1)[0] ?? ""));
  if (others.length === 0 && paths.includes(`${folder}/SKILL.md`)) return folder;
  if (paths.some((path) => /^[^/]+\/SKILL\.md$/.test(path))) throw severalRoots([folder, ...others]);
  throw noSkillFile(paths);
}

function severalRoots(roots: readonly string[]): SkillError {
  const shown = roots.slice(0, 5).map((root) => `"${root}"`);
  return invalid(
    `The archive has several top-level entries (${shown.join(", ")}${roots.length > 5 ? ", ..." : ""}). Pack one skill: its files, or a single folder with them.`,
  );
}

function noSkillFile(paths: readonly string[]): SkillError {
  const misspelled = paths.find((path) => /^(?:[^/]+\/)?skills?\.md$/i.test(path));
  if (misspelled)
    return invalid(
      `The archive has "${misspelled}" instead of SKILL.md. Rename it to SKILL.md; upper case matters.`,
    );
  const deeper = paths.find((path) => path.endsWith("/SKILL.md"));
  if (deeper)
    return invalid(
      `SKILL.md is too deep in the archive, at "${deeper}". Pack only the folder that contains it.`,
    );
  return invalid(
    "The archive has no SKILL.md, neither at the top level nor in a single top-level folder. Add one.",
  );
}

function invalid(message: string): SkillError {
  return new SkillError("SKILL_INVALID", message);
}
