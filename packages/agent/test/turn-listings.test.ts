import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WatchableSkillRepository } from "@skillwright/core";
import { fsRepository } from "@skillwright/repository-fs";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "./scripted-model.js";
import { SHOUT, testAgent } from "./test-agent.js";

test("turns in which no skill changed list no repository; a change is seen by the next turn", async () => {
  const root = await mkdtemp(join(tmpdir(), "skillwright-agent-"));
  onTestFinished(async () => await rm(root, { recursive: true, force: true }));
  await mkdir(join(root, "elsewhere"));
  for (const [path, content] of Object.entries(SHOUT))
    await writeFile(join(root, "elsewhere", path), content);
  const inner = fsRepository({ root });
  onTestFinished(() => inner.close());
  let lists = 0;
  const repository: WatchableSkillRepository = {
    ...inner,
    list(options) {
      lists++;
      return inner.list(options);
    },
  };
  const load = { calls: [{ tool: "skill_load", input: { skill: "shout" } }] };
  const run = { calls: [{ tool: "skill_run", input: { skill: "shout", command: "true" } }] };
  const said = { text: "Done." };
  const turn = [load, run, said];
  const agent = await testAgent({
    model: scriptedModel((step) => turn[(step - 1) % turn.length] ?? said).model,
    repository,
  });
  const listings = async (work: () => Promise<unknown>): Promise<number> => {
    const before = lists;
    await work();
    return lists - before;
  };
  // Waits until the watches have begun.
  await expect.poll(() => listings(() => agent.skills())).toBe(0);
  for (const message of ["One", "Two"]) expect(await listings(() => agent.chat(message))).toBe(0);
  await writeFile(join(root, "elsewhere", "USAGE.md"), "How to shout.");
  const { events } = await agent.chat("Three");
  expect(lists).toBeGreaterThan(0);
  expect(JSON.stringify(events)).toContain("USAGE.md");
});
