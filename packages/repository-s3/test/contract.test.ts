import {
  testSkillRepository,
  testVersionedSkillRepository,
  testWritableSkillRepository,
} from "@skillwright/contracts";
import { test } from "vitest";
import { openS3Repository, s3Repository } from "../src/index.js";
import { fakeBucket, PREFIX, replacePlain } from "./fake-subject.js";

testSkillRepository(test, async (seed) => {
  const fake = await fakeBucket(seed);
  const repository = s3Repository({ client: fake.client, bucket: fake.bucket, prefix: PREFIX });
  return { repository, change: async (skills) => replacePlain(fake, skills), dispose: fake.close };
});

testWritableSkillRepository(test, async (seed) => {
  const fake = await fakeBucket(seed);
  const repository = await openS3Repository({ client: fake.client, bucket: fake.bucket, prefix: PREFIX });
  return { repository, dispose: fake.close };
});

testVersionedSkillRepository(test, async (seed) => {
  const fake = await fakeBucket(seed);
  const repository = await openS3Repository({ client: fake.client, bucket: fake.bucket, prefix: PREFIX });
  return { repository, dispose: fake.close };
});
