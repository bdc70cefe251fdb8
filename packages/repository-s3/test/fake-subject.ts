import type { SkillSeed } from "@skillwright/contracts";
import { type FakeS3, fakeS3 } from "./fake-s3/fake-s3.js";
import { plainObjects } from "./plain-objects.js";

export const PREFIX = "team/skills";

/** A fake bucket that holds the skills as plain folders. */
export async function fakeBucket(seed: SkillSeed = {}): Promise<FakeS3> {
  const fake = await fakeS3();
  for (const { key, content, metadata } of plainObjects(seed))
    fake.put(`${PREFIX}/${key}`, content, metadata);
  return fake;
}

/** Makes the bucket hold exactly these skills. */
export function replacePlain(fake: FakeS3, seed: SkillSeed): void {
  const objects = plainObjects(seed);
  const keys = new Set(objects.map(({ key }) => `${PREFIX}/${key}`));
  for (const key of fake.objects.keys()) if (!keys.has(key)) fake.objects.delete(key);
  for (const { key, content, metadata } of objects) fake.put(`${PREFIX}/${key}`, content, metadata);
}
