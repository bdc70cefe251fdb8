import { randomUUID } from "node:crypto";
import { readBytes } from "@skillwright/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasAll } from "../../../../test/needs/has-all.js";
import { type S3Artifacts, s3Artifacts } from "../../src/artifacts/s3-artifacts.js";
import { type FreshBucket, freshBucket } from "../stores/fresh-bucket.js";
import { type EndPoint, endingClient } from "./ending-client.js";
import { storedKeys } from "./stored-keys.js";

const scope = { app: "test", user: "ada", session: "one" };
const OLD = Buffer.from("the old one");

if (hasAll("an S3 server"))
  describe.each([
    { what: "a small file", content: Buffer.from("the new one"), least: 4 },
    { what: "a file in parts", content: Buffer.alloc(20_000_000, "new"), least: 8 },
  ])("a saver of $what that is killed before or after any of its requests", ({ what, content, least }) => {
    let fresh: FreshBucket;
    beforeAll(async () => {
      fresh = await freshBucket();
    });
    afterAll(async () => await fresh.remove());

    it("leaves the old versions or the new one complete, does not block others, and its leftovers are found", async () => {
      const { bucket } = fresh;
      const recorded = endingClient(fresh.connect());
      await s3Artifacts({ client: fresh.connect(), bucket, prefix: "recorded/" }).save(scope, "x", OLD);
      await s3Artifacts({ client: recorded.client, bucket, prefix: "recorded/" }).save(scope, "x", content);
      const { steps } = recorded;
      expect(steps.length).toBeGreaterThanOrEqual(least);
      const points = steps.flatMap((_, step) => [
        { step, when: "before" } as const,
        { step, when: "after" } as const,
      ]);
      let newSeen = 0;
      for (const point of points) newSeen += await endedSave(fresh, content, point);
      // Only a saver killed after the record was created left a new version.
      expect(newSeen).toBe(1);
      console.log(`artifacts, ${what}: ${points.length} ends at ${steps.join(", ")}`);
    });
  });

/** @returns 1 where the new version exists, 0 where it does not. */
async function endedSave(fresh: FreshBucket, content: Buffer, point: EndPoint): Promise<number> {
  const { bucket } = fresh;
  const prefix = `${randomUUID()}/`;
  const client = fresh.connect();
  const others = s3Artifacts({ client, bucket, prefix });
  await others.save(scope, "x", OLD);

  const ending = s3Artifacts({ client: endingClient(fresh.connect(), point).client, bucket, prefix });
  await expect(ending.save(scope, "x", content)).rejects.toMatchObject({ code: "BACKEND_FAILED" });

  const seen = await contentsOf(others);
  expect(
    [[OLD], [OLD, content]].some((whole) => isSame(whole, seen)),
    JSON.stringify(point),
  ).toBe(true);
  expect((await others.save(scope, "x", "next")).version).toBe(seen.length);
  await others.cleanUp({ olderThanMs: 0 });
  expect(await storedKeys(client, bucket, prefix)).toEqual({
    records: seen.length + 1,
    contents: seen.length + 1,
    uploads: 0,
  });
  expect(isSame(await contentsOf(others), [...seen, Buffer.from("next")])).toBe(true);
  return seen.length - 1;
}

async function contentsOf(artifacts: S3Artifacts): Promise<Buffer[]> {
  const contents: Buffer[] = [];
  for (const { version } of await artifacts.versions(scope, "x")) {
    const { content } = await artifacts.open(scope, "x", { version });
    contents.push(Buffer.from(await readBytes(content, 100_000_000)));
  }
  return contents;
}

function isSame(some: readonly Buffer[], others: readonly Buffer[]): boolean {
  return some.length === others.length && some.every((one, index) => others[index]?.equals(one));
}
