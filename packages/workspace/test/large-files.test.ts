import path from "node:path";
import { fsArtifacts } from "@skillwright/repository-fs";
import { expect, test } from "vitest";
import { withinMemory } from "../../../test/memory/within-memory.js";
import { SESSION, workspaceFixture } from "./workspace-fixture.js";

const SIZE = 160 * 1024 * 1024;
const MOST_HELD = SIZE / 5;

test("a large output is saved to the artifact store, and used as an input, in constant memory", async () => {
  await using fixture = await workspaceFixture("none", (directory) => ({
    artifacts: fsArtifacts({ root: path.join(directory, "artifacts") }),
  }));
  const { id } = await fixture.workspaces.forSession(SESSION);
  const outputs = { globs: ["out/**"], save: true, maxFileBytes: SIZE, maxTotalBytes: SIZE };
  await fixture.workspaces.run(id, { command: "echo warm > out/warm.txt", outputs });
  await withinMemory(MOST_HELD, async () => {
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
});
