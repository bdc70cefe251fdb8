import {
  type BrokenSkill,
  manifestDigest,
  parseSkill,
  type Skill,
  type SkillManifest,
  type SkillSummary,
  skillManifest,
} from "@skillwright/core";
import {
  folderSummary,
  isSummary,
  type ListedFile,
  type SkillRules,
  skillFolders,
} from "@skillwright/core/adapter";
import type { StoredFile, StoredFiles } from "./file-set.js";

/** A skill of a folder, with its place in the folder's files. */
export interface ParsedFolderSkill {
  readonly inside: string;
  readonly found: BrokenSkill | (SkillSummary & { readonly digest: string });
  /** Missing for a broken skill. */
  readonly contents?: Pick<Skill, "body" | "manifest">;
}

interface ListedStoredFile extends ListedFile {
  readonly stored: StoredFile;
}

/**
 * Parses the skill in the folder and those nested in it, when the folder is stored, so that listing and loading only
 * look them up. The digest is also the change mark: equal files have equal marks.
 */
export async function parseFolder(
  path: string,
  files: StoredFiles,
  { rules, read }: { readonly rules: SkillRules; readonly read: (file: StoredFile) => Promise<Uint8Array> },
): Promise<readonly ParsedFolderSkill[]> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const entries = [...files].map(([file, stored]): ListedStoredFile => {
    const kind = stored.executable ? "executable" : "file";
    return { path: file, size: stored.size, stamp: stored.sha256, kind, isText: true, stored };
  });
  const { folders } = skillFolders(entries, { depth: Number.POSITIVE_INFINITY, name, rules });
  const parsed: ParsedFolderSkill[] = [];
  for (const folder of folders) {
    const inside = folder.path === "." ? "" : `${folder.path}/`;
    const at = inside === "" ? path : `${path}/${folder.path}`;
    const skillFile = files.get(`${inside}SKILL.md`);
    const header = parseSkill(skillFile ? await read(skillFile) : "", { directoryName: folder.name });
    const found = folderSummary({ ...folder, path: at }, header);
    if (!header.skill || !isSummary(found)) {
      parsed.push({ inside, found });
      continue;
    }
    const manifest = manifestOf(folder.files);
    const digest = manifestDigest(manifest);
    const contents = { body: header.skill.body, manifest };
    parsed.push({ inside, found: { ...found, changeMark: digest, digest }, contents });
  }
  return parsed;
}

function manifestOf(files: readonly ListedStoredFile[]): SkillManifest {
  return skillManifest(
    files.map(({ path, stored: { size, executable, sha256 } }) => ({ path, size, executable, sha256 })),
  );
}
