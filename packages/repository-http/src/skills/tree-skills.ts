import type { Diagnostic, Skill } from "@skillwright/core";
import { brokenFolder, type SkillFolder, skillFolders } from "@skillwright/core/adapter";
import type { HttpLimits } from "../http-repository-options.js";
import { indexDiagnostic } from "../index-diagnostics.js";
import type { FetchedFile, FetchedFiles } from "../payload/fetched-files.js";
import { type InnerSkill, readSkill } from "./found-skills.js";

export interface TreeRules {
  readonly limits: HttpLimits;
  readonly leaveOut: ReadonlySet<string>;
}

const MAX_DEPTH = 6;

interface TreeFile {
  readonly path: string;
  readonly size: number;
  readonly stamp: string;
  readonly isText: true;
  readonly file: FetchedFile;
}

/**
 * The skills of a tree: every folder with a SKILL.md up to six folders deep, outside of hidden folders. A skill that
 * exceeds a limit of one skill is broken and hides no other; skills above `limits.entries` are left out, the last paths
 * first, with a diagnostic.
 */
export function treeSkills(
  name: string,
  { files, diagnostics: told }: FetchedFiles,
  { limits, leaveOut }: TreeRules,
): { readonly skills: readonly InnerSkill<Skill>[]; readonly diagnostics: readonly Diagnostic[] } {
  const entries = [...files].map(
    ([path, file]): TreeFile => ({ path, size: file.bytes.byteLength, stamp: "", isText: true, file }),
  );
  const rules = { files: limits.files, bytes: limits.bytes, leaveOut };
  const { folders, diagnostics } = skillFolders(entries, { depth: MAX_DEPTH, name, rules });
  const sorted = [...folders].sort((a, b) => (a.path < b.path ? -1 : 1));
  const more = sorted.length - limits.entries;
  const cut = more > 0 ? [indexDiagnostic("index.cut", ".", `${more} of ${sorted.length}`)] : [];
  return {
    skills: sorted
      .slice(0, limits.entries)
      .map((folder) => ({ inner: folder.path, found: skillOf(folder, limits) })),
    diagnostics: [...told, ...diagnostics, ...cut],
  };
}

function skillOf(folder: SkillFolder<TreeFile>, { skillFileBytes }: HttpLimits): InnerSkill<Skill>["found"] {
  const { path, files, diagnostics, excess } = folder;
  if (excess) return { path, diagnostics: [excess, ...diagnostics] };
  const own = new Map(files.map(({ path, file }) => [path, file]));
  if ((own.get("SKILL.md")?.bytes.byteLength ?? 0) > skillFileBytes)
    return brokenFolder(folder, "skill-file.too-large");
  const skill = readSkill(path, own);
  return { ...skill, diagnostics: [...skill.diagnostics, ...diagnostics] };
}
