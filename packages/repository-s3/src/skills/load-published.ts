import { type Skill, SkillError, type SkillSummary, skillManifest } from "@skillwright/core";
import { deepFreeze, parseLoadedSkill } from "@skillwright/core/adapter";
import type { Bucket } from "../bucket/bucket.js";
import type { Layout } from "../layout.js";
import type { PublicationHead, PublishedSkill } from "../publications/publication.js";
import type { ContentMemory } from "./content-memory.js";
import { fileBytes, type StoredFile } from "./file-content.js";

/** The summary of a published skill for a listing. */
export function publishedSummary(
  published: Extract<PublicationHead, { readonly kind: "published" }>,
): SkillSummary {
  const { name, description, path, frontmatter, diagnostics, digest, number } = published;
  const version = String(number);
  return deepFreeze({
    ...{ name, description, path, frontmatter, diagnostics, digest, version },
    changeMark: `${version} ${digest}`,
  });
}

/** The full skill. Only SKILL.md is read, and verified against its hash. */
export async function loadPublished(
  bucket: Bucket,
  layout: Layout,
  published: PublishedSkill,
  { memory, signal }: { readonly memory: ContentMemory; readonly signal: AbortSignal | undefined },
): Promise<Skill> {
  const skillFile = publishedFiles(layout, published).find(({ path }) => path === "SKILL.md");
  if (!skillFile)
    throw new SkillError("SKILL_INVALID", `The published skill "${published.name}" has no SKILL.md.`);
  const bytes = await fileBytes(bucket, skillFile, { memory, signal });
  return publishedSkill(published, bytes);
}

/** @param skillFile The bytes of its SKILL.md. */
export function publishedSkill(published: PublishedSkill, skillFile: Uint8Array): Skill {
  const { skill } = parseLoadedSkill(skillFile, { directoryName: published.name });
  const manifest = skillManifest(
    published.files.map(({ path, size, executable, sha256 }) => ({ path, size, executable, sha256 })),
  );
  const { digest } = published;
  return deepFreeze({ ...publishedSummary(published), body: skill?.body ?? "", manifest, digest });
}

/** The storage locations of a published skill's files. */
export function publishedFiles(layout: Layout, { name, files }: PublishedSkill): readonly StoredFile[] {
  return files.map(({ path, size, sha256, upload }) => {
    const key = layout.fileKey(name, upload, sha256);
    return { path, key, size, stamp: "", sha256 };
  });
}
