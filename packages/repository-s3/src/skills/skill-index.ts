import type { BrokenSkill, Diagnostic } from "@skillwright/core";
import {
  deepFreeze,
  type FoundSkill,
  inListingOrder,
  isSummary,
  repositoryDiagnostic,
  type SkillRules,
  skillFolders,
} from "@skillwright/core/adapter";
import type { Bucket } from "../bucket/bucket.js";
import type { FoundHead, SkillHeads } from "../heads/skill-heads.js";
import type { Layout } from "../layout.js";
import { publishedSummary } from "./load-published.js";
import { type PlainFolder, plainEntries, plainFolder } from "./plain-entries.js";
import { type HeaderMemory, type PlainSkill, readSummaries, readSummary } from "./read-summaries.js";

export type PlainPlace = Pick<PlainFolder, "path" | "name">;

export interface BucketSkill<Folder extends PlainPlace = PlainFolder> extends FoundSkill {
  /** Present for a plain folder. */
  readonly folder?: Folder;
  /** Present for a published skill. */
  readonly record?: FoundHead;
}

interface PlainScan {
  readonly skills: readonly PlainSkill[];
  readonly diagnostics: readonly Diagnostic[];
  /** True when there is an object in the folder at this path, or of this name. */
  has(path: string): boolean;
}

export interface Scan<Folder extends PlainPlace = PlainFolder> {
  /** Usable skills by name, then path; then the broken ones by path. */
  readonly skills: readonly BucketSkill<Folder>[];
  readonly diagnostics: readonly Diagnostic[];
}

/** All skills of the repository: plain folders and published skills. */
export interface SkillIndex {
  scan(signal: AbortSignal | undefined): Promise<Scan>;
  /** The plain folders only, including hidden ones. */
  scanPlain(signal: AbortSignal | undefined): Promise<PlainScan>;
  /** The skill in the plain folder at this place, by a listing of that folder alone; `undefined` where there is none. */
  lookAt(place: PlainPlace, signal: AbortSignal | undefined): Promise<PlainSkill | undefined>;
  forget(): void;
}

export interface SkillIndexOptions {
  readonly bucket: Bucket;
  readonly layout: Layout;
  readonly heads: SkillHeads;
  readonly depth: number;
  /** Name of the top folder. */
  readonly name: string;
  readonly rules: SkillRules;
}

export function skillIndex({ bucket, layout, heads, depth, name, rules }: SkillIndexOptions): SkillIndex {
  const memory: HeaderMemory = new Map();

  const scanPlain: SkillIndex["scanPlain"] = async (signal) => {
    const entries = await plainEntries(bucket, layout, signal);
    const { folders, diagnostics } = skillFolders(entries, { depth, name, rules, keys: true });
    const skills = await readSummaries(bucket, folders, { memory, signal });
    const has = (path: string): boolean =>
      entries.some((entry) => entry.path === path || entry.path.startsWith(`${path}/`));
    return { skills, diagnostics, has };
  };

  const scan: SkillIndex["scan"] = async (signal) => {
    const [plain, published] = await Promise.all([scanPlain(signal), heads.newest(signal)]);
    const { skills, diagnostics } = merged(plain.skills, published.heads);
    return { skills, diagnostics: [...published.diagnostics, ...plain.diagnostics, ...diagnostics] };
  };

  const lookAt: SkillIndex["lookAt"] = async (place, signal) => {
    const folder = await plainFolder(bucket, layout, { ...place, rules, signal });
    return folder && (await readSummary(bucket, folder, { memory, signal }));
  };

  return { scan, scanPlain, lookAt, forget: () => memory.clear() };
}

/** The part of a scan that is kept: places, not files. */
export function remembered({ skills, diagnostics }: Scan): Scan<PlainPlace> {
  const kept = skills.map(({ found, record, folder }) =>
    folder
      ? { found, folder: { path: folder.path, name: folder.name } }
      : { found, ...(record && { record }) },
  );
  return { skills: kept, diagnostics };
}

function merged(plain: readonly PlainSkill[], records: readonly FoundHead[]): Scan {
  const names = new Set<string>();
  const paths = new Set<string>();
  const skills: BucketSkill[] = [];
  for (const record of records) {
    const { publication, folder } = record;
    if (publication?.kind === "purged") continue;
    names.add(publication?.name ?? folder);
    for (const path of publication?.hides ?? []) paths.add(path);
    if (!publication) skills.push({ found: damaged(folder), record });
    else if (publication.kind === "published") skills.push({ found: publishedSummary(publication), record });
  }
  const diagnostics: Diagnostic[] = [];
  for (const { folder, found } of plain) {
    const isHidden = paths.has(folder.path) || (isSummary(found) && names.has(found.name));
    if (isHidden) diagnostics.push(repositoryDiagnostic("publication.hides", folder.path));
    else skills.push({ found, folder });
  }
  return { skills: skills.sort(inListingOrder), diagnostics };
}

function damaged(path: string): BrokenSkill {
  return deepFreeze({ path, diagnostics: [repositoryDiagnostic("record.damaged", path)] });
}
