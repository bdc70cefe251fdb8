import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import {
  type BrokenSkill,
  manifestDigest,
  SKILL_LIMITS,
  type Skill,
  SkillError,
  skillManifest,
} from "@skillwright/core";
import {
  brokenFolder,
  checkAborted,
  deepFreeze,
  folderSummary,
  forEachLimited,
  isSummary,
  parseLoadedSkill,
  skillFileOf,
  untilAborted,
} from "@skillwright/core/adapter";
import type { Bucket } from "../bucket/bucket.js";
import type { ContentMemory } from "./content-memory.js";
import { markOf, SMALL_BYTES, wholeOf } from "./file-content.js";
import type { PlainFile, PlainFolder } from "./plain-entries.js";

const ATTEMPTS = 6;
const FIRST_WAIT_MS = 25;

/** What is known of files that were read, by key. */
export type FileMemory = Map<
  string,
  { readonly stamp: string; readonly sha256: string; readonly executable: boolean }
>;

export interface PlainLoading {
  readonly bucket: Bucket;
  /** The folder as it was just listed, where it was. */
  readonly seen: PlainFolder | undefined;
  /** Lists the folder again. */
  readonly look: () => Promise<PlainFolder | undefined>;
  readonly files: FileMemory;
  readonly contents: ContentMemory;
  /** The skill as last loaded, with any change mark. */
  readonly known: Skill | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Loads the full skill; `undefined` where there is none any more. Every file must be the one listed, by its ETag;
 * otherwise the folder is listed again, at most six times.
 * @throws SkillError `CONFLICT` when it keeps changing.
 */
export async function loadPlain(loading: PlainLoading): Promise<Skill | BrokenSkill | undefined> {
  const { seen, look, known, signal } = loading;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    checkAborted(signal);
    const folder = (attempt === 0 ? seen : undefined) ?? (await look());
    if (!folder) return undefined;
    if (known?.changeMark === folder.changeMark && known.path === folder.path) return known;
    const loaded = await loadFolder(folder, loading);
    if (loaded) return loaded;
    await untilAborted(delay(FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random())), signal);
  }
  const message =
    "The skill's objects kept changing while they were read. Try again when the changes are complete, or publish the skill.";
  throw new SkillError("CONFLICT", message);
}

/** `undefined` when a file differs from its listing. */
async function loadFolder(
  folder: PlainFolder,
  { bucket, files: memory, contents, signal }: PlainLoading,
): Promise<Skill | BrokenSkill | undefined> {
  const skillFile = skillFileOf(folder);
  if (!skillFile || skillFile.size > SKILL_LIMITS.skillFileBytes)
    return brokenFolder(folder, "skill-file.too-large");
  const early = folderSummary(folder, { skill: NOTHING_YET, diagnostics: [] });
  if (!isSummary(early)) return early;
  let text: Uint8Array = new Uint8Array();
  let isSame = true;
  await forEachLimited(folder.files, bucket.parallel, async (file) => {
    const isSkillFile = file === skillFile;
    if (!isSame || (memory.get(file.key)?.stamp === file.stamp && !isSkillFile)) return;
    const read = await readFile(file);
    if (!read) isSame = false;
    else if (isSkillFile) text = read;
  });
  if (!isSame) return undefined;
  const { skill, diagnostics } = parseLoadedSkill(text, { directoryName: folder.name });
  const summary = folderSummary(folder, { skill, diagnostics });
  if (!isSummary(summary)) return summary;
  const manifest = skillManifest(
    folder.files.map(({ path, key, size }) => {
      const { sha256 = "", executable = false } = memory.get(key) ?? {};
      return { path, size, executable, sha256 };
    }),
  );
  return deepFreeze({ ...summary, body: skill?.body ?? "", manifest, digest: manifestDigest(manifest) });

  /** Hashes the file; returns the bytes of small ones. `undefined` when it differs from its listing. */
  async function readFile(file: PlainFile): Promise<Uint8Array | undefined> {
    const object = await bucket.get(file.key, { signal });
    if (object?.etag !== file.etag || object.size !== file.size) {
      object?.discard();
      return undefined;
    }
    const sum = createHash("sha256");
    let whole: Uint8Array = new Uint8Array();
    if (file.size <= SMALL_BYTES) {
      whole = await wholeOf(object, file);
      sum.update(whole);
      if (file !== skillFile) contents.put(markOf(file), whole);
      else contents.put(markOf(file), whole.slice());
    } else for await (const piece of object.content) sum.update(piece);
    const executable = isExecutable(object.metadata);
    memory.set(file.key, { stamp: file.stamp, sha256: sum.digest("hex"), executable });
    return whole;
  }
}

/** A placeholder where only the limits are checked. */
const NOTHING_YET = { name: "", description: "", frontmatter: {} };

/** File modes of regular files, in the decimal form that s3fs writes. */
const REGULAR = { from: 0o100000, to: 0o107777 } as const;

/**
 * True where the object's metadata marks it as an executable file. Mounts and copying tools store a `mode`: s3fs as a
 * decimal number, rclone as an octal one.
 */
function isExecutable(metadata: Readonly<Record<string, string>>): boolean {
  const note = metadata["mode"] ?? "";
  if (!/^\d{3,7}$/.test(note)) return false;
  const decimal = Number(note);
  const mode = decimal >= REGULAR.from && decimal <= REGULAR.to ? decimal : Number.parseInt(note, 8);
  return (mode & 0o111) !== 0;
}
