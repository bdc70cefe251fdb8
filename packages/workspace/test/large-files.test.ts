import path from "node:path";
import { fsArtifacts } from "@skillwright/repository-fs";
import { expect, test } from "vitest";
import { SESSION, workspaceFixture } from "./workspace-fixture.js";

const SIZE = 300 * 1024 * 1024;
/** Garbage may still be in memory; content that is held would be all of it. */
const MAX_GROWTH = SIZE / 2;

/** The maximum increase in the process's memory during the work. */
async function growthDuring(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().rss;
  let most = before;
  const look = () => {
    most = Math.max(most, process.memoryUsage().rss);
  };
  const timer = setInterval(look, 5);
  try {
    await work();
    look();
  } finally {
    clearInterval(timer);
  }
  return most - before;
}

test("a large output is saved to the artifact store, and used as an input, in constant memory", async () => {
  await using fixture = await workspaceFixture("none", (directory) => ({
    artifacts: fsArtifacts({ root: path.join(directory, "artifacts") }),
  }));
  const { id } = await fixture.workspaces.forSession(SESSION);
  const outputs = { globs: ["out/**"], save: true, maxFileBytes: SIZE, maxTotalBytes: SIZE };
  await fixture.workspaces.run(id, { command: "echo warm > out/warm.txt", outputs });
  const growth = await growthDuring(async () => {
    const made = await fixture.workspaces.run(id, {
      command: `head -c ${SIZE} /dev/zero > out/big`,
      outputs,
    });
    expect(made.outputs.find(({ path: name }) => name === "out/big")?.artifact).toMatchObject({
      version: 0,
      size: SIZE,
    });
    const inputs = [{ from: "artifact://out/big@0" }];
    const back = await fixture.workspaces.run(id, { command: "wc -c < work/inputs/big", inputs });
    expect(Number(back.stdout.text)).toBe(SIZE);
  });
  expect(growth).toBeLessThan(MAX_GROWTH);
});
