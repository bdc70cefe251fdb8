import { renameSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { localSubject } from "./local-subject.js";
import { markedSleep, processesWith, runText, SLEEP_MS } from "./running.js";

for (const isolation of hasAll("bubblewrap") ? (["sandbox", "none"] as const) : (["none"] as const)) {
  test(`runs that are aborted at any moment of their start end completely (${isolation})`, async () => {
    const { runtime, dispose } = await localSubject(isolation);
    const workspace = await runtime.create("w1");
    const { endsTree } = await runtime.capabilities();
    const sleep = markedSleep();
    const waiting = Array.from({ length: 60 }, (_, index) => (index % 15) + 0.5);
    const worker = async () => {
      for (let timeoutMs = waiting.pop(); timeoutMs !== undefined; timeoutMs = waiting.pop()) {
        const { exitCode, timedOut, treeEnded } = await runText(
          workspace,
          `setsid ${sleep} & ${sleep}; true`,
          { timeoutMs },
        );
        expect([exitCode, timedOut, treeEnded]).toEqual([137, true, endsTree]);
      }
    };
    await Promise.all(Array.from({ length: 4 }, worker));
    await expect.poll(() => processesWith(sleep)).toEqual([]);
    await dispose();
  });

  test(`CONC-01: ending one run at its timeout does not affect another in the same workspace (${isolation})`, async () => {
    const { runtime, dispose } = await localSubject(isolation);
    const workspace = await runtime.create("w1");
    const [ended, other] = await Promise.all([
      runText(workspace, "sleep 60", { timeoutMs: 500 }),
      runText(workspace, "sleep 2; echo ok"),
    ]);
    expect([ended.exitCode, ended.timedOut]).toEqual([137, true]);
    expect([other.exitCode, other.stdout.text]).toEqual([0, "ok\n"]);
    await dispose();
  });

  test(`many concurrent runs each get their own output, and nothing stays open (${isolation})`, async () => {
    const { runtime, root, dispose } = await localSubject(isolation);
    const workspace = await runtime.create("w1");
    await runText(workspace, "true");
    const descriptors = async () => (await readdir("/proc/self/fd")).length;
    const before = process.platform === "linux" ? await descriptors() : 0;
    const texts = Array.from({ length: 100 }, (_, index) => `number ${index}`);
    const results = await Promise.all(
      texts.map((text) => runText(workspace, `echo ${text}; echo ${text} >&2`)),
    );
    expect(results.map(({ stdout }) => stdout.text.trim())).toEqual(texts);
    expect(results.map(({ stderr }) => stderr.text.trim())).toEqual(texts);
    expect(await readdir(join(root, "w1/live")).catch(() => [])).toEqual([]);
    if (process.platform === "linux") await expect.poll(descriptors).toBeLessThanOrEqual(before + 2);
    await dispose();
  });

  test(`a run that starts while its workspace is destroyed does not outlive it (${isolation})`, async () => {
    const { runtime, other, dispose } = await localSubject(isolation);
    const sleep = markedSleep();
    for (let round = 0; round < 20; round++) {
      const workspace = await runtime.create("w1");
      const running = runText(workspace, `${sleep}; true`).then(
        ({ exitCode }) => exitCode,
        (error: { code?: string }) => error.code,
      );
      for (let turn = 0; turn < round; turn++) await new Promise((resolve) => setImmediate(resolve));
      expect(await runtime.destroy("w1")).toBe(true);
      expect([137, "WORKSPACE_NOT_FOUND"]).toContain(await running);
      expect(processesWith(sleep)).toEqual([]);
    }
    const workspace = await runtime.create("w2");
    const running = runText(workspace, `${sleep}; true`).catch((error: { code?: string }) => error.code);
    await runtime.close();
    const outcome = await running;
    expect(typeof outcome === "object" ? outcome.exitCode : outcome).toBeOneOf([137, "CLOSED"]);
    expect(processesWith(sleep)).toEqual([]);
    expect(await other.list()).toEqual(["w2"]);
    await dispose();
  });

  test(`a run whose workspace goes away right after the command was started is ended (${isolation})`, async () => {
    const { runtime, root, dispose } = await localSubject(isolation);
    const workspace = await runtime.create("w1");
    const sleep = markedSleep();
    const { signal } = new AbortController();
    // The handle listens for the abort once the command has been started.
    signal.addEventListener = () => renameSync(join(root, "w1"), join(root, "elsewhere"));
    const command = { runId: "r1", command: `${sleep}; true`, cwd: ".", env: {}, timeoutMs: SLEEP_MS };
    const starting = workspace.start({ ...command, maxOutputBytes: 100 }, { signal });
    await expect(starting).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
    expect(processesWith(sleep)).toEqual([]);
    await dispose();
  });

  test(`of two concurrent runs with one id, only one starts (${isolation})`, async () => {
    const { runtime, dispose } = await localSubject(isolation);
    const workspace = await runtime.create("w1");
    // The run that starts waits until the other one was refused: an id whose run has ended may be used again.
    const command = "echo ran >> out/a; until [ -e work/go ]; do sleep 0.05; done";
    const both = [1, 2].map(() => runText(workspace, command, { runId: "same" }));
    await expect(Promise.race(both)).rejects.toMatchObject({ code: "CONFLICT" });
    await runText(workspace, "touch work/go");
    expect((await Promise.allSettled(both)).map(({ status }) => status).sort()).toEqual([
      "fulfilled",
      "rejected",
    ]);
    expect(await workspace.list("out")).toMatchObject([{ size: 4 }]);
    await dispose();
  });
}
