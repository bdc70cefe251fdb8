import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "@skillwright/core/adapter";
import { beforeAll, expect, test } from "vitest";
import { saveImage } from "../../../../scripts/cluster/save-image.mjs";
import { busyboxTree, shellessTree } from "../../../../scripts/engines/test-images/trees.mjs";
import { kubernetesRuntime } from "../../src/index.js";
import { onOwnCluster } from "../cluster-setup/cluster.js";
import { failedCreation, namesOf } from "../failed-creation.js";
import { loadImage } from "../faults/cluster-parts.js";

const noBash = { name: "docker.io/skills-test/no-bash:1", fill: busyboxTree };
const noShell = { name: "docker.io/skills-test/no-shell:1", fill: shellessTree };

onOwnCluster("an image", (namespace) => {
  beforeAll(async () => {
    const directory = mkdtempSync(join(tmpdir(), "sw-images-"));
    for (const image of [noBash, noShell]) {
      await saveImage(image, join(directory, "image.tar"));
      await loadImage(join(directory, "image.tar"));
    }
    rmSync(directory, { recursive: true });
  });

  test.each([undefined, "gvisor"])(
    "without bash runs commands with sh, and each result says so, on %s (KUBE-65)",
    async (runtimeClassName) => {
      await using runtime = kubernetesRuntime({
        ...namespace().options,
        image: noBash.name,
        runtimeClassName,
      });
      const workspace = await runtime.create("w1");
      const { exitCode, stdout, diagnostics } = await run(workspace, {
        ...{ runId: "one", command: "echo hi", cwd: ".", env: {} },
        ...{ timeoutMs: 60_000, maxOutputBytes: 1000 },
      });
      expect([exitCode, stdout.text, diagnostics.map(({ code }) => code)]).toEqual([
        0,
        "hi\n",
        expect.arrayContaining(["shell.no-bash"]),
      ]);
      await runtime.destroy("w1");
    },
  );

  test.each([undefined, "gvisor"])(
    "without any shell is refused when a workspace is created, and leaves nothing, on %s (KUBE-66)",
    async (runtimeClassName) => {
      const error = await failedCreation(namespace(), { image: noShell.name, runtimeClassName });
      expect(error.message).toMatch(/the image has no \/bin\/sh\. Use an image with a shell/);
      await expect.poll(() => namesOf(namespace(), "pods")).toBe("");
    },
  );
});
