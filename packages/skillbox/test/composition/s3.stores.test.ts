import { randomUUID } from "node:crypto";
import { PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import type { SkillSeed } from "@skillwright/contracts";
import { redisIndex } from "@skillwright/metadata-redis";
import { openS3Repository } from "@skillwright/repository-s3";
import { afterAll, beforeAll } from "vitest";
import { isFull } from "../../../../test/full-form.js";
import { hasAll } from "../../../../test/needs/has-all.js";
import { type RedisServer, startRedis } from "../../../metadata-redis/test/redis-server/redis-server.js";
import { memoryIndex } from "../../../repository-memory/test/broken/memory-index.js";
import { plainObjects } from "../../../repository-s3/test/plain-objects.js";
import { type FreshBucket, freshBucket } from "../../../repository-s3/test/stores/fresh-bucket.js";
import { removeAll } from "../../../repository-s3/test/stores/remove-all.js";
import { named, withIndex, withoutIndex } from "./combinators.js";
import { testVersionedComposition } from "./test-composition.js";

if (hasAll("an S3 server")) {
  let fresh: FreshBucket;
  let client: S3Client;
  beforeAll(async () => {
    fresh = await freshBucket();
    client = fresh.connect();
  });
  afterAll(async () => await fresh.remove());

  const s3 = {
    name: "S3",
    create: async (seed: SkillSeed) => {
      const { bucket } = fresh;
      const prefix = randomUUID();
      await put(`${prefix}/`, seed);
      const change = async (skills: SkillSeed): Promise<void> => {
        await removeAll(client, bucket, `${prefix}/`);
        await put(`${prefix}/`, skills);
      };
      return { repository: await openS3Repository({ client, bucket, prefix }), change };
    },
  };

  async function put(prefix: string, seed: SkillSeed): Promise<void> {
    await Promise.all(
      plainObjects(seed).map(async ({ key, content, metadata }) => {
        const Body = Buffer.from(content);
        const about = { Bucket: fresh.bucket, Key: prefix + key, Metadata: metadata };
        await client.send(new PutObjectCommand({ ...about, Body, ContentLength: Body.byteLength }));
      }),
    );
  }

  if (hasAll("redis-server")) {
    let server: RedisServer;
    let redis: ReturnType<RedisServer["connect"]>;
    beforeAll(async () => {
      server = await startRedis();
      redis = server.connect();
    });
    afterAll(async () => await server.stop());
    testVersionedComposition(s3, isFull ? withIndex : named("layered(fs, cached(indexed))"), () =>
      redisIndex({ client: redis, prefix: `${randomUUID()}:`, name: "skills" }),
    );
  }
  const two = named("layered, first", "cached, each call by another process");
  testVersionedComposition(s3, isFull ? withoutIndex : two, memoryIndex);
}
