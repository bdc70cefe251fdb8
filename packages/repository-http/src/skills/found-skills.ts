import { createHash } from "node:crypto";
import {
  type BrokenSkill,
  manifestDigest,
  parseSkill,
  type Skill,
  type SkillSummary,
  skillManifest,
} from "@skillwright/core";
import { repositoryDiagnostic } from "@skillwright/core/adapter";
import type { FetchedFile, FetchedFiles } from "../payload/fetched-files.js";

/** A skill among the files of a source. */
export interface InnerSkill<Content extends SkillSummary> {
  /** Its folder inside the source; empty for the source's own skill. */
  readonly inner: string;
  readonly found: Content | BrokenSkill;
}

type Files = ReadonlyMap<string, FetchedFile>;

/** The skill at the top, and those in folders below that are neither hidden nor in `node_modules`. */
export function foundSkills(
  path: string,
  { files, diagnostics }: FetchedFiles,
): readonly InnerSkill<Skill>[] {
  const inner = [...files.keys()].filter(isInnerSkillFile).map((file) => file.slice(0, -"/SKILL.md".length));
  return ["", ...inner.sort()].map((folder) => {
    const skill =
      folder === "" ? readSkill(path, files) : readSkill(`${path}/${folder}`, filesBelow(files, folder));
    const told = folder === "" ? [...skill.diagnostics, ...diagnostics] : skill.diagnostics;
    return { inner: folder, found: { ...skill, diagnostics: told } };
  });
}

export function summaryOf({ body, manifest, ...summary }: Skill): SkillSummary {
  return summary;
}

/** Digest over all files of a source, whether or not they form a skill. */
export function filesDigest(files: Files): string {
  return manifestDigest(manifestOf(files));
}

function isInnerSkillFile(path: string): boolean {
  return path.endsWith("/SKILL.md") && !/(?:^|\/)(?:\.|node_modules\/)/.test(path);
}

function filesBelow(files: Files, folder: string): Files {
  const start = `${folder}/`;
  const below = [...files].filter(([path]) => path.startsWith(start));
  return new Map(below.map(([path, file]) => [path.slice(start.length), file]));
}

/** @param files Files of the skill, with paths relative to it. */
export function readSkill(path: string, files: Files): Skill | BrokenSkill {
  const content = files.get("SKILL.md");
  if (!content) return { path, diagnostics: [repositoryDiagnostic("skill-file.missing", path)] };
  const directoryName = path.slice(path.lastIndexOf("/") + 1);
  const { skill, diagnostics } = parseSkill(content.bytes, { directoryName });
  if (!skill) return { path, diagnostics };
  const manifest = manifestOf(files);
  const digest = manifestDigest(manifest);
  const { name, description, frontmatter, body } = skill;
  return { name, description, path, frontmatter, changeMark: digest, digest, diagnostics, body, manifest };
}

function manifestOf(files: Files): ReturnType<typeof skillManifest> {
  return skillManifest(
    [...files].map(([path, { bytes, executable }]) => ({
      path,
      size: bytes.byteLength,
      executable,
      sha256: createHash("sha256").update(bytes).digest("hex"),
    })),
  );
}
