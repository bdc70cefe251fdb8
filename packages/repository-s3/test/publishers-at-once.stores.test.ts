import { skillMarkdown } from "@skillwright/contracts";
import { SkillError } from "@skillwright/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { times } from "../../../test/full-form.js";
import { hasAll } from "../../../test/needs/has-all.js";
import { openS3Repository, s3Repository, type WritableS3Repository } from "../src/index.js";
import { type FreshBucket, freshBucket } from "./stores/fresh-bucket.js";
import { filesOf, wholeDigest } from "./whole-skills.js";

const ROUNDS = times(200, 0.3);
const PURGES = 40;

if (hasAll("an S3 server"))
  describe("concurrent publishers", () => {
    let fresh: FreshBucket;
    beforeAll(async () => {
      fresh = await freshBucket();
    });
    afterAll(async () => await fresh.remove());

    it(`two of one skill, ${ROUNDS} rounds: every upload is a version of its own, and complete`, async () => {
      const publishers = [await opened("two"), await opened("two")];
      const digests: string[] = [];
      for (let round = 0; round < ROUNDS; round++)
        await Promise.all(
          publishers.map(async (repository, who) => {
            const content = skillMarkdown("one", { body: `${who} in round ${round}` });
            digests.push((await repository.upload([{ path: "SKILL.md", content }])).digest);
          }),
        );
      const reader = s3Repository({ client: fresh.connect(), bucket: fresh.bucket, prefix: "two" });
      const versions = await reader.versions("one");
      expect(versions.map(({ version }) => Number(version))).toEqual(
        Array.from({ length: 2 * ROUNDS }, (_, index) => 2 * ROUNDS - index),
      );
      expect(versions.map(({ digest }) => digest).sort()).toEqual(digests.sort());
      for (const { version, digest } of versions.filter((_, index) => index % 10 === 0))
        expect(await wholeDigest(reader, "one", version)).toBe(digest);
    });

    it(`two with \`existing: refuse\`: one is stored, in each of ${PURGES} rounds`, async () => {
      const publishers = [await opened("refuse"), await opened("refuse")];
      for (let round = 0; round < PURGES; round++) {
        const results = await Promise.allSettled(
          publishers.map((repository, who) =>
            repository.upload(filesOf(`skill-${round}`, String(who)), { existing: "refuse" }),
          ),
        );
        expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
        const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
        expect(refused.map((error) => SkillError.is(error, "SKILL_EXISTS"))).toEqual([true]);
      }
    });

    it(`one publishes and one purges, ${PURGES} times: every skill found is complete`, async () => {
      const [publisher, purger] = [await opened("purge"), await opened("purge")];
      let isOver = false;
      const uploading = (async () => {
        let count = 0;
        while (!isOver) await publisher.upload(filesOf("one", `upload ${count++ % 3}`));
        return count;
      })();
      for (let round = 0; round < PURGES; round++) {
        await purger.purge("one");
        await expect(readWhole("purge")).resolves.toBe("whole or gone");
      }
      isOver = true;
      expect(await uploading).toBeGreaterThan(PURGES / 4);
      const { digest } = await publisher.upload(filesOf("one", "last"));
      expect(await wholeDigest(purger, "one")).toBe(digest);
    });

    async function opened(prefix: string): Promise<WritableS3Repository> {
      return await openS3Repository({ client: fresh.connect(), bucket: fresh.bucket, prefix });
    }

    /** A file may be purged between the load and its reading; the read then reports it as missing. */
    async function readWhole(prefix: string): Promise<string> {
      const reader = s3Repository({ client: fresh.connect(), bucket: fresh.bucket, prefix });
      try {
        await wholeDigest(reader, "one");
      } catch (error) {
        if (!SkillError.is(error, "FILE_NOT_FOUND")) throw error;
      }
      return "whole or gone";
    }
  });
