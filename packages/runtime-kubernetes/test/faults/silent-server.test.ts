import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readText } from "@skillwright/core";
import { expect, onTestFinished, test } from "vitest";
import { kubernetesRuntime } from "../../src/index.js";
import { onBothWays } from "../cluster-setup/cluster.js";
import { apiRelay } from "./api-relay.js";

const MEBIBYTE = 1024 * 1024;

onBothWays((namespace) => {
  test("every call gives up after callTimeoutMs if the API server does not answer (KUBE-64)", async () => {
    const { kubeconfig: real, options } = namespace();
    const kubeconfig = await silent(real);
    await using runtime = kubernetesRuntime({ ...options, kubeconfig, callTimeoutMs: 300 });
    const calls = [
      () => runtime.create("w1"),
      () => runtime.attach("w1"),
      () => runtime.list(),
      () => runtime.destroy("w1"),
    ];
    for (const call of calls)
      await expect(call()).rejects.toMatchObject({
        code: "BACKEND_FAILED",
        message: expect.stringMatching(/could not be reached.*300 ms.*whether the server runs/),
      });
  });

  test("an upload fails after callTimeoutMs if the API server takes no more bytes of it, and leaves no half of its file (KUBE-91)", async () => {
    const { kubeconfig, options } = namespace();
    await using relay = await apiRelay(kubeconfig, () => undefined);
    await using patient = kubernetesRuntime(options);
    await patient.create("w2");
    const hasty = { ...options, kubeconfig: relay.kubeconfig, callTimeoutMs: 3000 };
    await using runtime = kubernetesRuntime(hasty);
    const workspace = (await runtime.attach("w2")) ?? expect.fail("It is there.");
    async function* endless() {
      yield new Uint8Array(MEBIBYTE);
      relay.stall();
      for (;;) yield new Uint8Array(MEBIBYTE);
    }
    await expect(workspace.put([{ path: "work/up", content: endless() }])).rejects.toMatchObject({
      code: "BACKEND_FAILED",
      message: expect.stringMatching(/took no bytes for 3000 ms.*try again.*raise callTimeoutMs/),
    });
    expect((await workspace.list("work")).map(({ path }) => path)).toEqual(["work/inputs"]);
    await workspace.put([{ path: "work/up", content: "whole" }]);
    expect(await readText(await workspace.get("work/up"), 100)).toBe("whole");
    await patient.destroy("w2");
  });
});

/** Path of a kubeconfig for a server that accepts connections and never answers. */
async function silent(kubeconfig: string): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on("error", () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const directory = mkdtempSync(join(tmpdir(), "sw-silent-"));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(directory, { recursive: true });
  });
  const config = JSON.parse(readFileSync(kubeconfig, "utf8"));
  config.clusters[0].cluster.server = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const own = join(directory, "config");
  writeFileSync(own, JSON.stringify(config), { mode: 0o600 });
  return own;
}
