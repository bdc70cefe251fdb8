import { PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import {
  type SkillSeed,
  testSkillRepository,
  testVersionedSkillRepository,
  testWritableSkillRepository,
} from "@skillwright/contracts";
import { afterAll, beforeAll, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { openS3Repository, s3Repository } from "../src/index.js";
import { plainObjects } from "./plain-objects.js";
import { type FreshBucket, freshBucket } from "./stores/fresh-bucket.js";
import { removeAll } from "./stores/remove-all.js";

if (hasAll("an S3 server")) {
  let fresh: FreshBucket;
  let client: S3Client;
  let places = 0;
  beforeAll(async () => {
    fresh = await freshBucket();
    client = fresh.connect();
  });
  afterAll(async () => await fresh.remove());

  testSkillRepository(test, async (seed) => {
    const { bucket } = fresh;
    const prefix = await filled(seed);
    const change = async (skills: SkillSeed): Promise<void> => {
      await removeAll(client, bucket, `${prefix}/`);
      await put(prefix, skills);
    };
    return { repository: s3Repository({ client, bucket, prefix }), change };
  });
  testWritableSkillRepository(test, opened);
  testVersionedSkillRepository(test, opened);

  async function opened(seed: SkillSeed) {
    const prefix = await filled(seed);
    return { repository: await openS3Repository({ client, bucket: fresh.bucket, prefix }) };
  }

  async function filled(seed: SkillSeed): Promise<string> {
    const prefix = `place-${places++}`;
    await put(prefix, seed);
    return prefix;
  }

  async function put(prefix: string, seed: SkillSeed): Promise<void> {
    await Promise.all(
      plainObjects(seed).map(async ({ key, content, metadata }) => {
        const Body = Buffer.from(content);
        const about = { Bucket: fresh.bucket, Key: `${prefix}/${key}`, Metadata: metadata };
        await client.send(new PutObjectCommand({ ...about, Body, ContentLength: Body.byteLength }));
      }),
    );
  }
}
