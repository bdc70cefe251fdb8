import { createHash } from "node:crypto";
import {
  type BrokenSkill,
  type ManifestFile,
  manifestDigest,
  parseSkill,
  type Skill,
  skillManifest,
} from "@skillwright/core";
import { pathDiagnostic, type SkillRules, withoutLeftOut } from "@skillwright/core/adapter";
import type { StoredFiles } from "./stored-files.js";

/** A folder with the skill it is, if any, and the skills nested in it. */
export interface SkillFolder {
  readonly path: string;
  readonly files: StoredFiles;
  readonly skills: readonly Skill[];
  readonly broken: readonly BrokenSkill[];
}

/** Parses the folder once, when it is stored. @throws SkillError for paths that a manifest refuses. */
export function skillFolder(path: string, files: StoredFiles, rules: SkillRules): SkillFolder {
  const skills: Skill[] = [];
  const broken: BrokenSkill[] = [];
  const misnamed = files.has("SKILL.md")
    ? undefined
    : [...files.keys()].find((file) => /^skill\.md$/i.test(file));
  if (misnamed !== undefined)
    broken.push({ path, diagnostics: [pathDiagnostic("skill-file.name", MISNAMED, `${path}/${misnamed}`)] });
  for (const file of [...files.keys()].filter(isSkillFile)) {
    const inner = file.slice(0, -"/SKILL.md".length);
    const found = inner
      ? readSkill(`${path}/${inner}`, filesBelow(files, inner), rules)
      : readSkill(path, files, rules);
    if (isSkill(found)) skills.push(found);
    else broken.push(found);
  }
  return { path, files, skills, broken };
}

const MISNAMED = ["error", "The file must be named exactly SKILL.md.", "Rename it."] as const;

export function isSkill(found: Skill | BrokenSkill): found is Skill {
  return "manifest" in found;
}

/** Hidden folders and `node_modules` are not searched for skills; their content is just files. */
function isSkillFile(path: string): boolean {
  return /(^|\/)SKILL\.md$/.test(path) && !/(^|\/)(\.|node_modules\/)/.test(path);
}

/** The files of a nested folder, by their paths in it. */
export function filesBelow(files: StoredFiles, inner: string): StoredFiles {
  const prefix = `${inner}/`;
  const below = [...files].filter(([path]) => path.startsWith(prefix));
  return new Map(below.map(([path, file]) => [path.slice(prefix.length), file]));
}

function readSkill(path: string, all: StoredFiles, rules: SkillRules): Skill | BrokenSkill {
  const { files, diagnostics: leftOut } = withoutLeftOut(all, rules);
  const directoryName = path.slice(path.lastIndexOf("/") + 1);
  const { skill, diagnostics: told } = parseSkill(files.get("SKILL.md")?.bytes ?? "", { directoryName });
  const diagnostics = [...told, ...leftOut];
  if (!skill) return { path, diagnostics };
  const manifest = skillManifest(manifestFiles(files));
  const digest = manifestDigest(manifest);
  const { name, description, frontmatter, body } = skill;
  return { name, description, frontmatter, body, path, changeMark: digest, digest, diagnostics, manifest };
}

function manifestFiles(files: StoredFiles): ManifestFile[] {
  return [...files].map(([path, { bytes, executable }]) => ({
    path,
    size: bytes.byteLength,
    executable,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  }));
}
