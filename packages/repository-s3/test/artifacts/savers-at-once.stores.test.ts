import { readText, SkillError } from "@skillwright/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasAll } from "../../../../test/needs/has-all.js";
import { type S3Artifacts, s3Artifacts } from "../../src/artifacts/s3-artifacts.js";
import { type FreshBucket, freshBucket } from "../stores/fresh-bucket.js";
import { storedKeys } from "./stored-keys.js";

const ROUNDS = 100;
const scope = { app: "test", user: "ada", session: "one" };

if (hasAll("an S3 server"))
  describe("concurrent access", () => {
    let fresh: FreshBucket;
    beforeAll(async () => {
      fresh = await freshBucket();
    });
    afterAll(async () => await fresh.remove());

    it(`two savers, ${ROUNDS} rounds: every save has its own number and its own content`, async () => {
      const savers = ["ada", "bob"].map((who) => ({ who, artifacts: store("savers/") }));
      const said = new Map<number, string>();
      for (let round = 0; round < ROUNDS; round++)
        await Promise.all(
          savers.map(async ({ who, artifacts }) => {
            const text = `${who} ${round}`;
            const { version } = await artifacts.save(scope, "x", text);
            expect(said.has(version)).toBe(false);
            said.set(version, text);
          }),
        );
      const reader = store("savers/");
      const versions = await reader.versions(scope, "x");
      expect(versions.map(({ version }) => version)).toEqual(
        Array.from({ length: 2 * ROUNDS }, (_, index) => index),
      );
      for (const { version } of versions) expect(await textOf(reader, version)).toBe(said.get(version));
    });

    it("a saver and a deleter: every version has its content, and nothing is left over", async () => {
      const saver = store("deleter/");
      const deleter = store("deleter/");
      let isSaving = true;
      let deleted = 0;
      const deleting = (async () => {
        while (isSaving) deleted += Number(await deleter.delete(scope, "x"));
      })();
      try {
        for (let round = 0; round < ROUNDS; round++) {
          const { version } = await saver.save(scope, "x", `round ${round}`);
          const text = await textOf(saver, version).catch((error: unknown) => {
            if (!SkillError.is(error, "ARTIFACT_NOT_FOUND")) throw error;
          });
          // The number may be reused after all versions were deleted; the text is always one that was saved, and
          // complete.
          if (text !== undefined) expect(text).toMatch(/^round \d+$/);
        }
      } finally {
        isSaving = false;
        await deleting;
      }
      expect(deleted).toBeGreaterThan(3);
      await saver.save(scope, "x", "last");
      for (const { version } of await saver.versions(scope, "x")) await textOf(saver, version);
      const { records, contents, uploads } = await storedKeys(fresh.connect(), fresh.bucket, "deleter/");
      expect([contents, uploads]).toEqual([records, 0]);
    });

    function store(prefix: string): S3Artifacts {
      return s3Artifacts({ client: fresh.connect(), bucket: fresh.bucket, prefix });
    }

    async function textOf(artifacts: S3Artifacts, version: number): Promise<string> {
      const { content } = await artifacts.open(scope, "x", { version });
      return await readText(content, 1_000);
    }
  });
