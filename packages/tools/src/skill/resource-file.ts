import { containedPath, type ManifestFile, type Skill, SkillError } from "@skillwright/core";

const MAX_NAMED = 200;

/**
 * Returns the file of the skill at that path.
 * @throws SkillError `PATH_INVALID`, `PATH_OUTSIDE`, `FILE_NOT_FOUND`, each with the existing paths: SKILL.md first,
 * the others sorted, at most 200; `INPUT_INVALID` for SKILL.md where another tool returns the instructions.
 */
export function resourceFile(
  skill: Skill,
  path: string,
  { loadCall }: { readonly loadCall: string | undefined },
): ManifestFile {
  const refuse = (code: "FILE_NOT_FOUND" | "PATH_INVALID" | "PATH_OUTSIDE", message: string): SkillError =>
    new SkillError(code, `${message} ${choices(skill, loadCall === undefined)}`, { details: { path } });
  try {
    containedPath(path);
  } catch (error) {
    if (SkillError.is(error, "PATH_INVALID") || SkillError.is(error, "PATH_OUTSIDE"))
      throw refuse(error.code === "PATH_OUTSIDE" ? "PATH_OUTSIDE" : "PATH_INVALID", error.message);
    throw error;
  }
  if (path === "SKILL.md" && loadCall !== undefined)
    throw new SkillError("INPUT_INVALID", `Call ${loadCall} with "${skill.name}" for its instructions.`);
  const { files } = skill.manifest;
  const found = files.find((file) => file.path === path);
  if (found) return found;
  const folder = files.some((file) => file.path.startsWith(`${path}/`));
  const shown = JSON.stringify(path.slice(0, 200));
  throw refuse(
    "FILE_NOT_FOUND",
    folder
      ? `${shown} is a folder of the skill "${skill.name}".`
      : `The skill "${skill.name}" has no file ${shown}.`,
  );
}

function choices({ manifest }: Skill, instructions: boolean): string {
  const others = manifest.files.map(({ path }) => path).filter((path) => path !== "SKILL.md");
  const all = instructions ? ["SKILL.md", ...others] : others;
  if (all.length === 0) return "It has no other files.";
  const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : "";
  return `Its files: ${all.slice(0, MAX_NAMED).join(", ")}${more}.`;
}
