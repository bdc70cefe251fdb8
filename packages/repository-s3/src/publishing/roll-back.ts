import type { Skill } from "@skillwright/core";
import type { PublishedSkill } from "../publications/publication.js";
import { publishedVersion } from "../publications/versions.js";
import { loadPublished } from "../skills/load-published.js";
import { type AppendParts, appendRecord } from "./append-record.js";

/** Makes an old version the newest one again, under a new number; does nothing where it is the newest already. */
export async function rollBack(parts: AppendParts, version: string): Promise<Skill> {
  const { state, name, signal } = parts;
  const outcome = await appendRecord<PublishedSkill>(parts, async (newest) => {
    const before = newest?.publication;
    const old = await publishedVersion(state.records, before, { name, version, signal });
    if (before?.kind === "published" && before.digest === old.digest) return { result: before };
    const { kind, path, hides, digest, description, frontmatter, diagnostics, files } = old;
    return { kind, path, hides, digest, description, frontmatter, diagnostics, files };
  });
  const published = "result" in outcome ? outcome.result : (outcome as PublishedSkill);
  return await loadPublished(state.bucket, state.layout, published, { memory: state.contents, signal });
}
