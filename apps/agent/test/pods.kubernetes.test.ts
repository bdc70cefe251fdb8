import { expect, test } from "vitest";
import { onCluster } from "../../../packages/runtime-kubernetes/test/cluster-setup/cluster.js";
import { leftOfWorkspaces } from "../../../scripts/cluster/left-of-workspaces.mjs";
import { shoutJob } from "./shout-job.js";

onCluster(
  "the agent with --runtime kubernetes",
  (namespace) => {
    test("uploads a file to a claimed sandbox, runs a skill there on gVisor, saves its output, and leaves nothing (KUBE-101)", async () => {
      const sandbox = { kind: "kubernetes", cluster: namespace().options };
      const configuration = JSON.stringify({ agent: { sandbox } });
      const app = await shoutJob(["--runtime", "kubernetes"], {
        level: "gvisor",
        files: { "home/.skillwright/skillwright.config.json": configuration },
      });
      await app.close();
      await expect.poll(() => leftOfWorkspaces(namespace())).toEqual([]);
    });
  },
  { runtimeClassName: "gvisor" },
);
