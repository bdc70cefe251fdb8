import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";
import { expect, onTestFinished, test } from "vitest";
import { localSubject, temporaryDirectory } from "./local-subject.js";
import { markedSleep, processesWith, SLEEP_MS } from "./running.js";

async function damaged() {
  const { runtime, other, root, dispose } = await localSubject("none");
  onTestFinished(dispose);
  const workspace = await runtime.create("w1");
  const directory = join(root, "w1");
  const damage = () => writeFileSync(join(directory, "record.json"), "{");
  return { runtime, other, workspace, directory, damage };
}

test.each(["tree/skills", "tree/work", "tree", "incoming", "live", "tmp"])(
  "repairing refuses a workspace whose %s a command replaced by a link, and leaves the link's target alone",
  async (name) => {
    const { runtime, directory, damage } = await damaged();
    const { path: outside, remove } = await temporaryDirectory();
    onTestFinished(remove);
    mkdirSync(join(outside, "own/deep"), { recursive: true });
    writeFileSync(join(outside, "own/deep/kept.txt"), "kept");
    damage();
    rmSync(join(directory, name), { recursive: true });
    symlinkSync(outside, join(directory, name));
    await expect(runtime.repair?.("w1")).rejects.toSatisfy((error) => SkillError.is(error, "PATH_OUTSIDE"));
    expect(readFileSync(join(outside, "own/deep/kept.txt"), "utf8")).toBe("kept");
    expect(readFileSync(join(directory, "record.json"), "utf8")).toBe("{");
    rmSync(join(directory, name));
    expect(await runtime.repair?.("w1")).toBe(true);
  },
);

test("repairing ends the runs of all runtimes in the workspace first", async () => {
  const { runtime, other, workspace, damage } = await damaged();
  const attached = await other.attach("w1");
  if (!attached) throw new Error("The workspace is gone.");
  const command = markedSleep();
  const common = { command, cwd: ".", env: {}, timeoutMs: SLEEP_MS, maxOutputBytes: 0 };
  const handles = [
    await workspace.start({ ...common, runId: "own" }),
    await attached.start({ ...common, runId: "other" }),
  ];
  expect(await runtime.repair?.("w1")).toBe(false);
  damage();
  expect(await runtime.repair?.("w1")).toBe(true);
  expect(processesWith(command)).toEqual([]);
  for (const { result } of handles) expect(await result).toMatchObject({ exitCode: 137, timedOut: false });
});
