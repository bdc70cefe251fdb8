import { SkillError } from "@skillwright/core";
import { type SkillRules, skillRules } from "@skillwright/core/adapter";
import { type Bucket, s3Bucket } from "./bucket/bucket.js";
import { type SkillHeads, skillHeads } from "./heads/skill-heads.js";
import { type Layout, layout as layoutOf } from "./layout.js";
import { type PublicationRecords, publicationRecords } from "./publications/publication-records.js";
import type { S3RepositoryOptions } from "./s3-repository-options.js";
import { type ContentMemory, contentMemory } from "./skills/content-memory.js";
import { type PlainPlace, type Scan, type SkillIndex, skillIndex } from "./skills/skill-index.js";

/** State shared by reading and publishing: the bucket, and what is remembered of it. */
export interface RepositoryState {
  readonly label: string;
  readonly bucket: Bucket;
  readonly layout: Layout;
  readonly rules: SkillRules;
  readonly records: PublicationRecords;
  readonly heads: SkillHeads;
  readonly index: SkillIndex;
  readonly contents: ContentMemory;
  /** The last scan, unless this process published something since. */
  last: Scan<PlainPlace> | undefined;
  forget(): void;
}

const REMEMBERED_BYTES = 16 * 1024 * 1024;

/** @throws SkillError `CONFIG_INVALID`. */
export function repositoryState({
  client,
  bucket: name,
  prefix = "",
  limits = {},
  leaveOut,
}: S3RepositoryOptions): RepositoryState {
  if (name === "") throw new SkillError("CONFIG_INVALID", "The name of the bucket is empty. Give one.");
  const bucket = s3Bucket({ client, bucket: name, limits });
  const rules = skillRules({ limits, leaveOut });
  const layout = layoutOf(prefix);
  const records = publicationRecords(bucket, layout);
  const heads = skillHeads({ bucket, layout, records });
  const top = layout.prefix.split("/").at(-2) ?? name;
  const index = skillIndex({ bucket, layout, heads, depth: limits.depth ?? 6, name: top, rules });
  const contents = contentMemory(REMEMBERED_BYTES);
  const state: RepositoryState = {
    label: cut(`s3://${name}/${layout.prefix}`, 150),
    ...{ bucket, layout, rules, records, heads, index, contents },
    last: undefined,
    forget() {
      for (const memory of [records, heads, index, contents]) memory.forget();
      state.last = undefined;
    },
  };
  return state;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
