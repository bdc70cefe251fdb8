import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SkillRepository } from "@skillwright/core";
import { fsRepository } from "@skillwright/repository-fs";
import { memoryRepository } from "@skillwright/repository-memory";
import { expect, onTestFinished, test } from "vitest";
import { recordingProvider } from "./recording-provider.js";
import type { ScriptedStep } from "./scripted-model.js";
import { SHOUT, testAgent } from "./test-agent.js";

const load = { calls: [{ tool: "skill_load", input: { skill: "shout" } }] };
const run = { calls: [{ tool: "skill_run", input: { skill: "shout", command: "true" } }] };
const list = { calls: [{ tool: "skill_list", input: {} }] };
const said = { text: "Done." };

test("a repository that becomes unavailable during a session ends no load, and model and person are told", async () => {
  const { agent, source, requests } = await conversation([load, said, list, run, said, said]);
  await agent.chat("Load it");
  source.isDown = true;
  const { events, diagnostics } = await agent.chat("Use it");
  const told = requests[2] ?? "";
  expect(told).toContain("cannot be reached now: the source test");
  expect(told).not.toContain("gone: shout");
  expect(requests[3]).toContain("its skills are shown as last listed");
  expect(diagnostics).toContainEqual(expect.objectContaining({ code: "repository.stale" }));
  expect(diagnostics.map(({ code }) => code)).not.toContain("loads.outdated");
  expect(events.flatMap((event) => (event.type === "tool.response" ? [event.isError] : []))).toEqual([
    false,
    false,
  ]);
  source.isDown = false;
  await agent.chat("And now?");
  expect(requests.at(-1)).toContain("can be reached again: the source test");
});

test("a turn reports broken skills once, like the terminal at its start", async () => {
  const { agent, source } = await conversation([said, said]);
  source.isBroken = true;
  const first = await agent.chat("Hello");
  expect(first.diagnostics).toMatchObject([{ code: "skill.broken", path: "shout" }]);
  expect((await agent.chat("Again")).diagnostics).toEqual([]);
});

test("a SKILL.md that breaks during a session is reported as broken, and its load stays", async () => {
  const { agent, source, requests } = await conversation([load, said, said]);
  await agent.chat("Load it");
  source.isBroken = true;
  const { diagnostics } = await agent.chat("Use it");
  expect(requests.at(-1)).toContain("broken now, as last loaded still in force: shout");
  expect(requests.at(-1)).not.toContain("gone: shout");
  expect(diagnostics.map(({ code }) => code)).not.toContain("loads.outdated");
});

test("a skill that breaks in a folder of another name stays loaded, is reported as broken, and still runs", async () => {
  const root = await mkdtemp(join(tmpdir(), "skillwright-agent-"));
  onTestFinished(async () => await rm(root, { recursive: true, force: true }));
  await mkdir(join(root, "elsewhere"));
  for (const [path, content] of Object.entries(SHOUT))
    await writeFile(join(root, "elsewhere", path), content);
  const repository = fsRepository({ root });
  onTestFinished(() => repository.close());
  const { model, requests } = recordingProvider("openai", [load, run, said, load, run, list, said]);
  const agent = await testAgent({
    model,
    repository,
    config: {
      modelConfig: { provider: "test", model: "test", stream: false },
      loads: { life: "session" },
      skillTools: { requireLoad: true },
    },
  });
  await agent.chat("Use it");
  await writeFile(join(root, "elsewhere/SKILL.md"), "---\nname: shout\n---\n");
  const { events, diagnostics } = await agent.chat("Use it again");
  expect(requests[3]).toContain("broken now, as last loaded still in force: shout");
  expect(requests[3]).not.toContain("gone: shout");
  const results = events.flatMap((event) => (event.type === "tool.response" ? [event] : []));
  expect(results.map(({ tool, isError }) => [tool, isError])).toEqual([
    ["skill_load", false],
    ["skill_run", false],
    ["skill_list", false],
  ]);
  expect(JSON.stringify(results[2]?.output)).toContain('"shout"');
  expect(diagnostics.map(({ code }) => code)).toContain("skill.broken");
});

async function conversation(steps: readonly ScriptedStep[]) {
  const repository = memoryRepository({ skills: { shout: SHOUT } });
  const { find: _, ...listed } = repository;
  const source = { isDown: false, isBroken: false };
  const listing: SkillRepository["list"] = async (options) => {
    if (source.isDown) throw new Error("connection refused");
    const all = await repository.list(options);
    if (!source.isBroken) return all;
    const broken = all.skills.map(({ path }) => ({ path, diagnostics: [] }));
    return { ...all, skills: [], broken };
  };
  const { model, requests } = recordingProvider("openai", steps);
  const agent = await testAgent({
    model,
    repository: { ...listed, list: listing },
    config: {
      modelConfig: { provider: "test", model: "test", stream: false },
      loads: { life: "session" },
      skillTools: { requireLoad: true },
    },
  });
  return { agent, source, requests };
}
