import { randomUUID } from "node:crypto";
import { testArtifactStore } from "@skillwright/core/testing";
import { afterAll, beforeAll, describe, test } from "vitest";
import { s3Artifacts } from "../../src/artifacts/s3-artifacts.js";
import { type FreshBucket, freshBucket, hasS3 } from "../stores/fresh-bucket.js";

if (hasS3())
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
