import { SkillError, type SkillVersion } from "@skillwright/core";
import type { Publication, PublishedSkill } from "./publication.js";
import type { PublicationRecords } from "./publication-records.js";

/** The existing versions of a skill, newest first. */
export async function publishedVersions(
  records: PublicationRecords,
  name: string,
  signal: AbortSignal | undefined,
): Promise<readonly PublishedSkill[]> {
  const publications = (await records.all(name, signal)).flatMap(({ publication }) => publication ?? []);
  const since = publications[0]?.since ?? 0;
  return publications.filter(
    (publication): publication is PublishedSkill =>
      publication.kind === "published" && publication.number > since,
  );
}

export function asVersion({ number, digest, createdAt }: PublishedSkill): SkillVersion {
  return { version: String(number), digest, createdAt };
}

/**
 * Finds a version by its number or digest; of several with one digest, the newest.
 * @param newest The skill's newest record, which the caller has already read.
 * @throws SkillError `SKILL_NOT_FOUND`.
 */
export async function publishedVersion(
  records: PublicationRecords,
  newest: Publication | undefined,
  {
    name,
    version,
    signal,
  }: { readonly name: string; readonly version: string; readonly signal: AbortSignal | undefined },
): Promise<PublishedSkill> {
  if (newest?.kind === "published" && [String(newest.number), newest.digest].includes(version)) return newest;
  const found =
    newest &&
    (/^[1-9]\d{0,11}$/.test(version)
      ? await byNumber(records, newest, Number(version), signal)
      : (await publishedVersions(records, name, signal)).find(({ digest }) => digest === version));
  if (found) return found;
  const message = `There is no version "${version}" of the skill "${name}". versions() lists the kept ones.`;
  throw new SkillError("SKILL_NOT_FOUND", message, { details: { name, version } });
}

async function byNumber(
  records: PublicationRecords,
  { name, since, number: last }: Publication,
  number: number,
  signal: AbortSignal | undefined,
): Promise<PublishedSkill | undefined> {
  if (number <= since || number >= last) return undefined;
  const publication = (await records.numbered(name, number, signal))?.publication;
  return publication?.kind === "published" ? publication : undefined;
}
