import { randomUUID } from "node:crypto";
import type { S3Client } from "@aws-sdk/client-s3";
import { forEachLimited } from "@skillwright/core/adapter";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { openS3Repository, s3Repository, type WritableS3Repository } from "../src/index.js";
import { type EndPoint, endingClient } from "./artifacts/ending-client.js";
import { type FreshBucket, freshBucket } from "./stores/fresh-bucket.js";
import { keysBelow } from "./stores/remove-all.js";
import { filesOf, wholeDigest } from "./whole-skills.js";

interface Change {
  readonly what: string;
  /** The versions that exist before. */
  readonly before: readonly string[];
  readonly least: number;
  change(repository: WritableS3Repository): Promise<unknown>;
}

const CHANGES: readonly Change[] = [
  { what: "a first publish", before: [], least: 7, change: (to) => to.upload(filesOf("one", "new")) },
  { what: "another version", before: ["old"], least: 6, change: (to) => to.upload(filesOf("one", "new")) },
  { what: "a deletion", before: ["old"], least: 4, change: (to) => to.delete("one") },
  { what: "a rollback", before: ["older", "old"], least: 5, change: (to) => to.rollback("one", "1") },
  { what: "a purge", before: ["older", "old"], least: 12, change: (to) => to.purge("one") },
];

/** The results of publishers that are not killed. */
let lasting: S3Client;

if (hasAll("an S3 server"))
  describe.each(CHANGES)("a publisher that is killed before or after any request of $what", (change) => {
    let fresh: FreshBucket;
    beforeAll(async () => {
      fresh = await freshBucket();
      lasting = fresh.connect();
    });
    afterAll(async () => await fresh.remove());

    it("leaves the old state or the new one complete, does not block others, and its leftovers are found", async () => {
      const { steps, old, after } = await recorded(fresh, change);
      expect(steps.length).toBeGreaterThanOrEqual(change.least);
      const points = steps.flatMap((_, step) => [
        { step, when: "before" } as const,
        { step, when: "after" } as const,
      ]);
      let newSeen = 0;
      await forEachLimited(points, 4, async (point) => {
        const seen = await endedAt(fresh, change, { point, old, after });
        newSeen += Number(seen === after);
      });
      expect(newSeen).toBeGreaterThan(0);
      expect(newSeen).toBeLessThan(points.length);
      console.log(
        `skills, ${change.what}: ${points.length} ends, ${newSeen} after it was done; ${steps.join(", ")}`,
      );
    });
  });

interface Recording {
  readonly steps: readonly string[];
  /** Digests; `undefined` for a skill that does not exist. */
  readonly old: string | undefined;
  readonly after: string | undefined;
}

async function recorded(fresh: FreshBucket, { before, change }: Change): Promise<Recording> {
  const prefix = randomUUID();
  await prepared(fresh, prefix, before);
  const old = await wholeDigest(reader(fresh, prefix), "one");
  const { client, steps } = endingClient(fresh.connect());
  await change(await openS3Repository({ client, bucket: fresh.bucket, prefix }));
  return { steps, old, after: await wholeDigest(reader(fresh, prefix), "one") };
}

/** @returns The digest that is read afterwards. */
async function endedAt(
  fresh: FreshBucket,
  { before, change }: Change,
  { point, old, after }: Omit<Recording, "steps"> & { readonly point: EndPoint },
): Promise<string | undefined> {
  const { bucket } = fresh;
  const prefix = randomUUID();
  await prepared(fresh, prefix, before);
  const { client } = endingClient(fresh.connect(), point);
  const ended = (async () => await change(await openS3Repository({ client, bucket, prefix })))();
  const outcome = await ended.then(
    () => "done",
    ({ code }: { readonly code?: unknown }) => code,
  );
  expect(["done", "BACKEND_FAILED"], JSON.stringify(point)).toContain(outcome);

  const seen = await wholeDigest(reader(fresh, prefix), "one");
  // A publisher that was killed while it packs the heads has published: its upload succeeds.
  expect(outcome === "done" ? [after] : [old, after], JSON.stringify(point)).toContain(seen);
  const others = await openS3Repository({ client: lasting, bucket, prefix });
  const { digest } = await others.upload(filesOf("one", "next"));
  await others.cleanUp({ olderThanMs: 0 });
  const readerAfter = reader(fresh, prefix);
  expect(await wholeDigest(readerAfter, "one")).toBe(digest);
  const files = new Set<string>();
  for (const { version } of await readerAfter.versions("one")) {
    expect(await wholeDigest(readerAfter, "one", version)).toBeDefined();
    for (const { sha256 } of (await readerAfter.load("one", { version })).manifest.files) files.add(sha256);
  }
  const stored = await keysBelow(lasting, bucket, `${prefix}/.skillwright/files/`);
  const sums = stored.map((key) => key.split("/").at(-1));
  expect(new Set(sums)).toEqual(files);
  return seen;
}

async function prepared(fresh: FreshBucket, prefix: string, versions: readonly string[]): Promise<void> {
  const repository = await openS3Repository({ client: lasting, bucket: fresh.bucket, prefix });
  for (const text of versions) await repository.upload(filesOf("one", text));
}

function reader(fresh: FreshBucket, prefix: string) {
  return s3Repository({ client: lasting, bucket: fresh.bucket, prefix });
}
