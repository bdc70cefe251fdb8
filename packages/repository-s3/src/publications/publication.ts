import type { Diagnostic, JsonObject, ManifestFile } from "@skillwright/core";

/** A file of a published skill, and the upload that stored its bytes. */
export interface PublishedFile extends ManifestFile {
  readonly upload: string;
}

interface AnyPublication {
  readonly formatVersion: 1;
  /** Counts the records of the skill, from 1. */
  readonly number: number;
  /** Unique for each record. */
  readonly id: string;
  readonly name: string;
  /** ISO 8601 time by the server's clock. */
  readonly createdAt: string;
  /** The number of the latest purge, 0 where there was none; earlier records no longer count. */
  readonly since: number;
  /** The skill's path in the repository. */
  readonly path: string;
  /** Plain folders that it replaces. */
  readonly hides: readonly string[];
}

/** A version of a skill. */
export interface PublishedSkill extends AnyPublication {
  readonly kind: "published";
  readonly digest: string;
  readonly description: string;
  readonly frontmatter: JsonObject;
  readonly diagnostics: readonly Diagnostic[];
  /** Sorted as in a manifest. */
  readonly files: readonly PublishedFile[];
}

interface RemovedSkill extends AnyPublication {
  /** After `deleted`, the versions still exist; after `purged`, they do not. */
  readonly kind: "deleted" | "purged";
}

/** One event in the history of a published skill. Never changed after it was written. */
export type Publication = PublishedSkill | RemovedSkill;

type HeadField = "kind" | "number" | "name" | "since" | "path" | "hides";

/** What listings need of a skill's newest record: all of it but the files. */
export type PublicationHead =
  | Pick<RemovedSkill, HeadField>
  | Pick<PublishedSkill, HeadField | "digest" | "description" | "frontmatter" | "diagnostics">;

/** The fields of a head and no others. */
export function headOf(publication: PublicationHead): PublicationHead {
  const { number, name, since, path, hides } = publication;
  if (publication.kind !== "published") return { kind: publication.kind, number, name, since, path, hides };
  const { digest, description, frontmatter, diagnostics } = publication;
  return {
    kind: "published",
    number,
    name,
    since,
    path,
    hides,
    digest,
    description,
    frontmatter,
    diagnostics,
  };
}

/** Serializes the record. */
export function publicationBytes(publication: Publication): Uint8Array {
  return Buffer.from(`${JSON.stringify(publication)}\n`);
}
