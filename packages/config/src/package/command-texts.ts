import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { S3Client } from "@aws-sdk/client-s3";
import { ifThere } from "@skillwright/core/adapter";

const MOST_COMMANDS = 1000;

/** The `.md` files directly in the folder, by name without the extension. A missing folder counts as empty. */
export async function folderCommands(directory: string): Promise<ReadonlyMap<string, string>> {
  const entries = (await ifThere(readdir(directory))) ?? [];
  const texts = new Map<string, string>();
  for (const entry of entries.filter((name) => name.endsWith(".md")).sort())
    texts.set(entry.slice(0, -3), await readFile(join(directory, entry), "utf8"));
  return texts;
}

/** The same for a location in a bucket: at most 1,000 objects are read. */
export async function bucketCommands(
  client: S3Client,
  bucket: string,
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const { GetObjectCommand, ListObjectsV2Command } = await import("@aws-sdk/client-s3");
  const prefix = `${folder}/`;
  const page = { Bucket: bucket, Prefix: prefix, Delimiter: "/", MaxKeys: MOST_COMMANDS };
  const { Contents = [] } = await client.send(new ListObjectsV2Command(page));
  const keys = Contents.flatMap(({ Key }) => (Key?.endsWith(".md") ? [Key] : []));
  const texts = new Map<string, string>();
  for (const key of keys) {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    texts.set(key.slice(prefix.length, -3), (await Body?.transformToString()) ?? "");
  }
  return texts;
}
