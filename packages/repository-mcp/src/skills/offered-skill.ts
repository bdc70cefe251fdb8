import {
  type BrokenSkill,
  isContainedPath,
  type JsonObject,
  manifestDigest,
  parseSkill,
  SKILL_LIMITS,
  type SkillManifest,
  type SkillSummary,
  skillManifest,
} from "@skillwright/core";
import {
  brokenFolder,
  deepFreeze,
  type FoundSkill,
  folderSummary,
  isSummary,
  type ListedFile,
  type SkillFolder,
  type SkillRules,
  skillFileOf,
  skillFolder,
} from "@skillwright/core/adapter";
import { mcpDiagnostic } from "../mcp-diagnostics.js";
import { decoded, placeOf, rootOf } from "./entry-address.js";

/** A file as the server's entry names it. */
export interface OfferedFile extends ListedFile {
  readonly uri: string;
  readonly sha256: string;
}

/** A skill with all that its entry says. */
export interface OfferedSkill {
  readonly summary: SkillSummary & { readonly digest: string };
  readonly folder: SkillFolder<OfferedFile>;
  readonly manifest: SkillManifest;
}

export interface ListedEntry extends FoundSkill {
  /** Missing for a skill that cannot be used. */
  readonly offered?: OfferedSkill;
}

/**
 * Reads one entry of a listing, whatever it is. Files whose names cannot be used are left out with a diagnostic; an entry of a wrong form,
 * without digests, or with a file outside of its skill is a broken skill.
 * @param number Its number in the listing, from 1, for an entry without an address.
 */
export function listedEntry(value: unknown, number: number, rules: SkillRules): ListedEntry {
  const { uri, frontmatter, resources } = Object(value) as Readonly<Record<string, unknown>>;
  const root = typeof uri === "string" ? rootOf(uri) : undefined;
  const broken = (problem: string, path = `entry ${number}`): ListedEntry => ({
    found: { path, diagnostics: [mcpDiagnostic("mcp.entry", path, problem)] },
  });
  if (root === undefined) return broken("it has no address that ends in /SKILL.md");
  const path = placeOf(root);
  if (!isContainedPath(path)) return broken("its address is no path");
  if (!isObject(frontmatter)) return broken("it has no frontmatter", path);
  if (!Array.isArray(resources)) return broken("it has no list of files with digests and sizes", path);
  const making = skillFolder<OfferedFile>(path, path.slice(path.lastIndexOf("/") + 1), rules);
  for (const resource of resources) {
    const file = offeredFile(resource, root);
    if (typeof file === "string") return broken(file, path);
    making.take(file, file.path);
    if (making.isFull()) break;
  }
  const folder = making.finished();
  const found = summaryOf(folder, frontmatter);
  if (!isSummary(found)) return { found };
  const manifest = manifestOf(folder);
  const summary = deepFreeze({ ...found, digest: manifestDigest(manifest) });
  return { found: summary, offered: { summary, folder, manifest } };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns what is wrong with the entry's file, where something is. */
function offeredFile(value: unknown, root: string): OfferedFile | string {
  const { uri, digest, size } = Object(value) as Readonly<Record<string, unknown>>;
  if (typeof uri !== "string" || !uri.startsWith(root)) return "a file of it is outside of the skill";
  const sha256 = typeof digest === "string" ? DIGEST.exec(digest)?.[1] : undefined;
  if (sha256 === undefined) return "a file of it has no SHA-256 digest";
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0)
    return "a file of it has no size in bytes";
  return { uri, sha256, size, path: decoded(uri.slice(root.length)), stamp: sha256, isText: true };
}

const DIGEST = /^sha256:([0-9a-f]{64})$/;

/** The entry's frontmatter is read like that of a file, so that the same rules apply to it. */
function summaryOf(folder: SkillFolder<OfferedFile>, frontmatter: JsonObject): SkillSummary | BrokenSkill {
  const file = skillFileOf(folder);
  if (!file) return brokenFolder(folder, "skill-file.missing");
  if (file.size > SKILL_LIMITS.skillFileBytes) return brokenFolder(folder, "skill-file.too-large");
  const { skill, diagnostics } = parseSkill(`---\n${JSON.stringify(frontmatter)}\n---\n`, {
    directoryName: folder.name,
  });
  // The lines are not those of the file.
  return folderSummary(folder, {
    skill,
    diagnostics: diagnostics.map(({ line: _line, column: _column, ...told }) => told),
  });
}

function manifestOf({ files }: SkillFolder<OfferedFile>): SkillManifest {
  return skillManifest(files.map(({ path, size, sha256 }) => ({ path, size, sha256, executable: false })));
}
