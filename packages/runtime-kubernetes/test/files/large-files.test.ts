import { createHash } from "node:crypto";
import { run } from "@skillwright/core/adapter";
import { expect, test } from "vitest";
import { withinMemory } from "../../../../test/memory/within-memory.js";
import { kubernetesRuntime } from "../../src/index.js";
import { onCluster } from "../cluster-setup/cluster.js";

const MEBIBYTE = 1024 * 1024;
const SIZE = 1024 * MEBIBYTE;
const MOST_HELD = 64 * MEBIBYTE;

onCluster("a file of 1 GiB", (namespace) => {
  const wish = { storageBytes: SIZE + 64 * MEBIBYTE, limits: { memory: "1536Mi" } };

  test("is uploaded in constant memory, whole (KUBE-56)", async () => {
    await using runtime = kubernetesRuntime({ ...namespace().options, ...wish });
    const workspace = await runtime.create("w1");
    await workspace.put([{ path: "work/warm", content: "warm" }]);
    const digest = createHash("sha256");
    async function* content() {
      for (let sent = 0; sent < SIZE; sent += MEBIBYTE) {
        const piece = new Uint8Array(MEBIBYTE).fill(sent / MEBIBYTE);
        digest.update(piece);
        yield piece;
      }
    }
    await withinMemory(MOST_HELD, () => workspace.put([{ path: "work/large", content: content() }]));
    const { stdout } = await run(workspace, command("sha256sum < work/large; wc -c < work/large"));
    expect(stdout.text).toBe(`${digest.digest("hex")}  -\n${SIZE}\n`);
    await runtime.destroy("w1");
  });

  test("is downloaded in constant memory, whole, whatever its reader's pace (KUBE-57)", async () => {
    await using runtime = kubernetesRuntime({ ...namespace().options, ...wish });
    const workspace = await runtime.create("w2");
    const text = `head -c ${SIZE} /dev/zero | tr '\\0' x > out/large; sha256sum < out/large`;
    const { stdout } = await run(workspace, command(text));
    const digest = createHash("sha256");
    let bytes = 0;
    await withinMemory(MOST_HELD, async () => {
      for await (const piece of await workspace.get("out/large")) {
        digest.update(piece);
        bytes += piece.byteLength;
        // While the reader pauses, the host must not buffer what the pod could send.
        if (bytes === piece.byteLength) await new Promise((resolve) => setTimeout(resolve, 2000));
      }
    });
    expect([bytes, `${digest.digest("hex")}  -\n`]).toEqual([SIZE, stdout.text]);
    await runtime.destroy("w2");
  });
});

function command(text: string) {
  return { runId: "one", command: text, cwd: ".", env: {}, timeoutMs: 300_000, maxOutputBytes: 65_536 };
}
