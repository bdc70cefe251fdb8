import { PutObjectCommand } from "@aws-sdk/client-s3";
import { redisIndex } from "@skillwright/metadata-redis";
import { openS3Repository } from "@skillwright/repository-s3";
import { indexed } from "@skillwright/skillbox";
import { expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../../test/needs/has-all.js";
import { startRedis } from "../../../metadata-redis/test/redis-server/redis-server.js";
import { freshBucket } from "../../../repository-s3/test/stores/fresh-bucket.js";
import { skillFile } from "../skill-file.js";
import { namesOf, uploadOf } from "./counted.js";

if (hasAll("an S3 server", "redis-server"))
  test("objects written by a plain S3 client are listed through the index, in every process", async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const { bucket, connect, remove } = await freshBucket();
    onTestFinished(remove);
    const client = connect();
    const process = async () => {
      const repository = await openS3Repository({ client: connect(), bucket, prefix: "team" });
      const index = redisIndex({ client: redis.connect(), name: `s3://${bucket}/team` });
      const skills = indexed(repository, index, { checkEveryMs: 1 });
      onTestFinished(() => skills.close());
      return { skills, index };
    };
    const first = await process();
    await first.skills.upload(uploadOf("alpha"));
    expect(namesOf(await first.skills.list())).toEqual(["alpha"]);

    const Body = skillFile("beta")["SKILL.md"];
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: "team/beta/SKILL.md", Body }));
    const listed = async ({ skills }: typeof first) => namesOf(await skills.list());
    await expect.poll(() => listed(first)).toEqual(["alpha", "beta"]);
    const second = await process();
    expect(await listed(second)).toEqual(["alpha", "beta"]);

    // A publisher killed before it wrote the index leaves the same state behind.
    await client.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: "team/gamma/SKILL.md",
        Body: Body.replace("beta", "gamma"),
      }),
    );
    await expect.poll(() => listed(second)).toEqual(["alpha", "beta", "gamma"]);
    expect(namesOf((await first.index.read()) ?? { skills: [] })).toEqual(["alpha", "beta", "gamma"]);
  });
