import { expect, inject, test } from "vitest";
import { soak } from "../../../bench/soaks/killed-servers-in-cluster.mjs";
import { hasAll } from "../../../test/needs/has-all.js";
import { onCluster } from "../../runtime-kubernetes/test/cluster-setup/cluster.js";

const MODULES = ["cli", "server", "metadata-redis", "repository-s3", "runtime-kubernetes"] as const;
/** How much runs here of the 200 turns of `pnpm soak killed-servers-in-cluster`. */
const SHARE = 0.01;

if (hasAll("redis-server", "an S3 server", ...MODULES.map((name) => `packages/${name}/dist` as const)))
  onCluster("two servers over Redis and S3, with workspaces in the cluster,", () => {
    test("go on with each other's turns when one is killed: each command runs once, no event is lost, and nothing is left (KUBE-68)", async () => {
      const result = await soak({
        seed: 1,
        share: SHARE,
        tell: () => undefined,
        cluster: inject("cluster"),
      });
      expect(result).toMatch(/^[1-9]\d* kills .* in 2 turns/);
    });
  });
