import type { Diagnostic, JsonObject, ManifestFile } from "@skillwright/core";

/** A file of a published skill, and which upload brought its bytes. */
export interface PublishedFile extends ManifestFile {
  readonly upload: string;
}

interface AnyPublication {
  readonly formatVersion: 1;
  /** Counts what happened to the skill, from 1. */
  readonly number: number;
  /** Different in any two records. */
  readonly id: string;
  readonly name: string;
  /** ISO 8601, by the server's clock. */
  readonly createdAt: string;
  /** The number of the newest purge, 0 where there was none: nothing before it is there any more. */
  readonly since: number;
  /** Where the skill is in the repository. */
  readonly path: string;
  /** Plain folders that it stands in for. */
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
  /** `deleted`: its versions are still there. `purged`: they are not. */
  readonly kind: "deleted" | "purged";
}

/** One thing that happened to a published skill. Never changed once it is written. */
export type Publication = PublishedSkill | RemovedSkill;

/** The bytes as they are stored. */
export function publicationBytes(publication: Publication): Uint8Array {
  return Buffer.from(`${JSON.stringify(publication)}\n`);
}
