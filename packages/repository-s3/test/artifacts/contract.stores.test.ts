import { randomUUID } from "node:crypto";
import { testArtifactStore } from "@skillwright/contracts";
import { afterAll, beforeAll, describe, test } from "vitest";
import { hasAll } from "../../../../test/needs/has-all.js";
import { s3Artifacts } from "../../src/artifacts/s3-artifacts.js";
import { type FreshBucket, freshBucket } from "../stores/fresh-bucket.js";

if (hasAll("an S3 server"))
  describe("artifacts on Ceph", () => {
    let fresh: FreshBucket;
    let client: ReturnType<FreshBucket["connect"]>;
    beforeAll(async () => {
      fresh = await freshBucket();
      client = fresh.connect();
    });
    afterAll(async () => await fresh.remove());

    testArtifactStore(test, async () => ({
      artifacts: s3Artifacts({ client, bucket: fresh.bucket, prefix: `${randomUUID()}/` }),
    }));
  });
