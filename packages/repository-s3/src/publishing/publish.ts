import { randomUUID } from "node:crypto";
import { containedPath, parseSkill, type Skill, SkillError } from "@skillwright/core";
import { forEachLimited, inListingOrder, isSummary, pickSkill } from "@skillwright/core/adapter";
import type { PublishedSkill } from "../publications/publication.js";
import type { FoundRecord } from "../publications/publication-records.js";
import { loadPublished, publishedSkill } from "../skills/load-published.js";
import { type AppendParts, appendRecord, type NextRecord } from "./append-record.js";
import type { CollectedUpload } from "./collect-upload.js";

/**
 * Writes the files that the newest version does not have, and then the record that makes them a version. An upload
 * equal to the newest version creates no new one.
 */
export async function publish(
  parts: AppendParts,
  upload: CollectedUpload,
  existing: "replace" | "refuse",
): Promise<Skill> {
  const { state, name, signal } = parts;
  const { bucket, layout } = state;
  const id = randomUUID();
  const put = new Set<string>();
  const outcome = await appendRecord<PublishedSkill>(parts, async (newest) => {
    const before = newest?.publication;
    if (before?.kind === "published") {
      if (existing === "refuse") throw exists(name);
      if (before.digest === upload.digest) return { result: before };
    }
    const place = await placeOf(parts, newest, existing);
    const uploads = new Map(
      before?.kind === "published" ? before.files.map(({ sha256, upload: from }) => [sha256, from]) : [],
    );
    const missing = [...upload.contents].filter(([sha256]) => !uploads.has(sha256) && !put.has(sha256));
    await forEachLimited(missing, bucket.parallel, async ([sha256, bytes]) => {
      await bucket.put(layout.fileKey(name, id, sha256), bytes, { signal });
      put.add(sha256);
    });
    const files = upload.files.map((file) => ({ ...file, upload: uploads.get(file.sha256) ?? id }));
    return record(upload, place, files);
  });
  if ("result" in outcome)
    return await loadPublished(bucket, layout, outcome.result, { memory: state.contents, signal });
  return publishedSkill(outcome as PublishedSkill, upload.skillFile);
}

function record(
  { skill, skillFile, digest }: CollectedUpload,
  { path, hides }: SkillPlace,
  files: PublishedSkill["files"],
): NextRecord {
  const { description, frontmatter } = skill;
  const directoryName = path === "." ? skill.name : (path.split("/").at(-1) ?? skill.name);
  const { diagnostics } = parseSkill(skillFile, { directoryName });
  return { kind: "published", path, hides, digest, description, frontmatter, diagnostics, files };
}

interface SkillPlace {
  readonly path: string;
  readonly hides: readonly string[];
}

/**
 * The skill's previous path, otherwise that of a plain skill with its name, otherwise a folder of its name, unless that
 * contains something else.
 */
async function placeOf(
  { state, name, signal }: AppendParts,
  newest: FoundRecord | undefined,
  existing: "replace" | "refuse",
): Promise<SkillPlace> {
  const before = newest?.publication;
  if (before && before.kind !== "purged") return { path: before.path, hides: before.hides };
  const plain = await state.index.scanPlain(signal);
  const found = pickSkill([...plain.skills].sort(inListingOrder), name)?.found;
  const otherSkill = found && isSummary(found) && found.name !== name;
  const otherFolder = !found && plain.has(name);
  if (otherSkill || otherFolder || (found && existing === "refuse")) throw exists(name);
  return found ? { path: found.path, hides: [found.path] } : { path: containedPath(name), hides: [name] };
}

function exists(name: string): SkillError {
  const message = `A skill or folder "${name}" already exists. Delete it first, or allow it to be replaced.`;
  return new SkillError("SKILL_EXISTS", message, { details: { name } });
}
