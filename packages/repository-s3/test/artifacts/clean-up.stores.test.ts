import { CreateMultipartUploadCommand, DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { readText } from "@skillwright/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasAll } from "../../../../test/needs/has-all.js";
import { s3Artifacts } from "../../src/artifacts/s3-artifacts.js";
import { type FreshBucket, freshBucket } from "../stores/fresh-bucket.js";
import { endingClient } from "./ending-client.js";
import { storedKeys } from "./stored-keys.js";

const scope = { app: "test", user: "ada", session: "one" };

if (hasAll("an S3 server"))
  describe("cleaning up artifacts", () => {
    let fresh: FreshBucket;
    let client: ReturnType<FreshBucket["connect"]>;
    beforeAll(async () => {
      fresh = await freshBucket();
      client = fresh.connect();
    });
    afterAll(async () => await fresh.remove());

    it("keeps young leftovers: their saver may still be running", async () => {
      const artifacts = await withLeftovers("young/");
      expect(await artifacts.cleanUp()).toEqual({ contents: 0, uploads: 0 });
      expect(await artifacts.cleanUp({ olderThanMs: 60_000 })).toEqual({ contents: 0, uploads: 0 });
      expect(await storedKeys(client, fresh.bucket, "young/")).toEqual({
        records: 2,
        contents: 3,
        uploads: 1,
      });
    });

    it("removes old leftovers and nothing else, and counts them", async () => {
      const artifacts = await withLeftovers("old/");
      expect(await artifacts.cleanUp({ olderThanMs: 0 })).toEqual({ contents: 1, uploads: 1 });
      expect(await storedKeys(client, fresh.bucket, "old/")).toEqual({ records: 2, contents: 2, uploads: 0 });
      for (const name of ["a", "b"]) await artifacts.open(scope, name);
    });

    it("reads no record where every content has its version", async () => {
      const { client: counted, steps } = endingClient(fresh.connect());
      const artifacts = s3Artifacts({ client: counted, bucket: fresh.bucket, prefix: "whole/" });
      for (const name of ["a", "a", "b"]) await artifacts.save(scope, name, "x");
      const before = steps.length;
      await artifacts.cleanUp({ olderThanMs: 0 });
      expect(steps.slice(before)).toEqual(["ListObjectsV2", "ListObjectsV2", "ListMultipartUploads"]);
    });

    it("ends with ABORTED when its signal is aborted", async () => {
      const artifacts = s3Artifacts({ client, bucket: fresh.bucket, prefix: "aborted/" });
      await expect(artifacts.cleanUp({ signal: AbortSignal.abort() })).rejects.toMatchObject({
        code: "ABORTED",
      });
    });

    it("a version whose content was removed is reported as missing", async () => {
      const artifacts = s3Artifacts({ client, bucket: fresh.bucket, prefix: "taken/" });
      const { location = "" } = await artifacts.save(scope, "a", "x");
      const Key = location.replace(`s3://${fresh.bucket}/`, "");
      await client.send(new DeleteObjectCommand({ Bucket: fresh.bucket, Key }));
      const { content } = await artifacts.open(scope, "a");
      await expect(readText(content, 10)).rejects.toMatchObject({ code: "ARTIFACT_NOT_FOUND" });
    });

    /** Two artifacts, content without a version, and an unfinished upload. */
    async function withLeftovers(prefix: string) {
      const artifacts = s3Artifacts({ client, bucket: fresh.bucket, prefix });
      await artifacts.save(scope, "a", "x");
      const { location = "" } = await artifacts.save(scope, "b", "x");
      const folder = location.replace(`s3://${fresh.bucket}/`, "").replace(/[^/]+$/, "");
      await client.send(new PutObjectCommand({ Bucket: fresh.bucket, Key: `${folder}left`, Body: "left" }));
      await client.send(new CreateMultipartUploadCommand({ Bucket: fresh.bucket, Key: `${folder}upload` }));
      return artifacts;
    }
  });
