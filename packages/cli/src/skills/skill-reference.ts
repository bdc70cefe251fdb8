import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { SkillError } from "@skillwright/core";
import { ifThere } from "@skillwright/core/adapter";

/** A skill as named on the command line. */
export type SkillReference =
  | { readonly kind: "name"; readonly name: string }
  /** `directory` is absolute and contains a SKILL.md. */
  | { readonly kind: "folder"; readonly directory: string };

/**
 * Texts with a slash, `.` and `..` are paths of a skill's folder or its SKILL.md; everything else is a name.
 * @throws SkillError `FILE_NOT_FOUND` for a path without a SKILL.md.
 */
export async function skillReference(text: string, cwd: string): Promise<SkillReference> {
  if (!/[/\\]/.test(text) && text !== "." && text !== "..") return { kind: "name", name: text };
  const path = resolve(cwd, text);
  const directory = basename(path) === "SKILL.md" ? dirname(path) : path;
  if (await isFile(join(directory, "SKILL.md"))) return { kind: "folder", directory };
  // The list only serves the remedy of the error below.
  const misnamed = (await readdir(directory).catch(() => [])).find((name) => /^skill\.md$/i.test(name));
  if (misnamed === "SKILL.md")
    throw new SkillError(
      "FILE_NOT_FOUND",
      `${join(directory, misnamed)} is no file. Put the skill's instructions into a file of that name.`,
    );
  const remedy = misnamed ? `Rename ${misnamed} to SKILL.md.` : "Give a skill's folder or its name.";
  throw new SkillError("FILE_NOT_FOUND", `${directory} has no SKILL.md. ${remedy}`);
}

async function isFile(path: string): Promise<boolean> {
  return (await ifThere(stat(path)))?.isFile() ?? false;
}
