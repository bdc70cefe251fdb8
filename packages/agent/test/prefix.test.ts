import { readdirSync, readFileSync } from "node:fs";
import { memoryRepository } from "@skillwright/repository-memory";
import { describe, expect, test } from "vitest";
import type { Agent } from "../src/agent/agent.js";
import type { AgentConfig } from "../src/agent/agent-config.js";
import { type Protocol, recordingProvider } from "./recording-provider.js";
import type { ScriptedStep } from "./scripted-model.js";
import { SHOUT, testAgent } from "./test-agent.js";

const PROFILE = "You are the agent of this test.";
const call = (tool: string, input: object): ScriptedStep => ({ calls: [{ tool, input }] });
const load = (skill: string): ScriptedStep => call("skill_load", { skill });
const shout = (file: string): ScriptedStep =>
  call("skill_run", {
    skill: "shout",
    command: `sh shout.sh inputs/${file} > out/${file}`,
    outputs: { globs: ["out/**"], inline: true },
  });
const said = (text: string): ScriptedStep => ({ text });

/** 20 requests in eight turns: loads, runs, uploads, an edited, a new and a removed skill, refusals, calls side by side. */
const STEPS: readonly ScriptedStep[] = [
  said("Hello."),
  ...[load("shout"), shout("a.txt"), said("Loud.")],
  ...[load("csv-analyst"), call("skill_list", {}), said("It is for tables.")],
  ...[load("shout"), shout("a.txt"), said("Louder.")],
  ...[
    { calls: [...(load("pdf-to-markdown").calls ?? []), { tool: "workspace_list", input: {} }] },
    said("Both."),
  ],
  ...[load("no-such-skill"), said("There is none.")],
  ...[load("fresh"), said("New.")],
  ...[load("csv-analyst"), shout("b.txt"), call("workspace_read", { path: "out/b.txt" }), said("Done.")],
];

describe.each(["openai", "anthropic"] as const)("requests to a provider of the protocol %s", (protocol) => {
  test("each of 20 requests is a byte-for-byte prefix of the next", async () => {
    const { requests, converse } = await conversation(protocol, STEPS);
    await converse();
    expect(requests).toHaveLength(20);
    expect(changedAt(requests)).toEqual([]);
    // It is one conversation: everything that was loaded, run, uploaded and edited is in the last request.
    for (const part of ["HELLO", "louder", "csv-analyst", "Uploaded files", "new: fresh", "gone: passing"])
      expect(requests.at(-1)).toContain(part);
  });

  test("change only at a reset and at a compaction; an injected profile is appended", async () => {
    const steps = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? load("shout") : said("Good.")));
    const { agent, requests, edit } = await conversation(
      protocol,
      [...steps.slice(0, 8), said("Sum."), ...steps],
      {
        agentPromptReinjectEvery: 3,
        compaction: { keepTurns: 1 },
      },
    );
    const at: Record<string, number> = {};
    for (const turn of ["1", "2", "3"]) await agent.chat(turn);
    at["injection"] = requests.length;
    await agent.chat("4");
    // Its own request is the conversation and one more message.
    await agent.compact();
    at["compaction"] = requests.length;
    await edit("shout", "edited");
    await agent.chat("5");
    await agent.chat("6");
    await edit("shout", "edited again");
    await agent.reset();
    at["reset"] = requests.length;
    await agent.chat("7");
    await agent.chat("8");

    expect(changedAt(requests)).toEqual([at["compaction"], at["reset"]]);
    const added = requests.map((request, index) =>
      request.slice(commonLength(requests[index - 1] ?? "", request)),
    );
    const injected = added.flatMap((text, index) => (text.includes(PROFILE) ? [index] : []));
    expect(injected).toEqual([0, at["injection"], at["compaction"], at["reset"]]);
    expect(added[at["injection"] ?? 0]).toMatch(new RegExp(`${PROFILE}[\\s\\S]*4`));
  });
});

test("over 20 steps use a prefix cache better than with bodies in the system prompt", async () => {
  const rows = [];
  for (const bodies of ["tool-results", "system"] as const) {
    const { requests, converse } = await conversation("openai", STEPS, { loads: { bodies } });
    await converse();
    rows.push({ bodies, changes: changedAt(requests).length, ...cacheShare(requests) });
  }
  for (const { bodies, changes, sent, served } of rows)
    console.log(
      `bodies in ${bodies}: ${Math.round(sent / 4)} tokens sent (characters / 4), ${((100 * served) / sent).toFixed(1)} % of them a cache of prefixes serves, ${Math.round((sent - served) / 4)} are new; the prefix changed ${changes} times`,
    );
  const [results, system] = rows;
  expect(results?.changes).toBe(0);
  // The same check detects each load of the other mode, so it can fail.
  expect(system?.changes).toBeGreaterThanOrEqual(7);
  expect((results?.sent ?? 0) - (results?.served ?? 0)).toBeLessThan(
    (system?.sent ?? 0) - (system?.served ?? 0),
  );
});

async function conversation(
  protocol: Protocol,
  steps: readonly ScriptedStep[],
  config: Partial<AgentConfig> = {},
) {
  const skills = { ...bundledSkills(), shout: SHOUT, passing: skillFiles("passing") };
  const repository = memoryRepository({ skills });
  const { model, requests } = recordingProvider(protocol, steps);
  const profile = { read: async () => ({ text: PROFILE, diagnostics: [] }) };
  const agent = await testAgent({
    ...{ model, repository, profile },
    config: { modelConfig: { provider: "test", model: "test", stream: false }, ...config },
  });
  const edit = async (name: string, description: string): Promise<void> => {
    const files =
      name === "shout" ? { ...SHOUT, ...skillFiles(name, description) } : skillFiles(name, description);
    await repository.upload(
      Object.entries(files).map(([path, content]) => ({ path, content: new TextEncoder().encode(content) })),
      { existing: "replace" },
    );
  };
  const converse = () => eightTurns(agent, edit, () => repository.delete("passing"));
  return { agent, requests, edit, converse };
}

async function eightTurns(
  agent: Agent,
  edit: (name: string, description: string) => Promise<void>,
  remove: () => Promise<unknown>,
): Promise<void> {
  await agent.chat("Hello");
  await agent.upload("a.txt", "hello\n");
  await agent.chat("Make it loud");
  await agent.chat("What is csv-analyst for?");
  await edit("shout", "Makes text louder.");
  await agent.chat("Again, with what it says now");
  await agent.upload("b.txt", "world\n");
  await agent.chat("And PDF?");
  await agent.chat("Use no-such-skill");
  await edit("fresh", "Is new.");
  await agent.chat("Use the new one");
  await remove();
  await agent.chat("Now the other file");
}

/** Indexes of the requests that are not prefixed by the previous one. */
function changedAt(requests: readonly string[]): number[] {
  return requests.flatMap((request, index) => (request.startsWith(requests[index - 1] ?? "") ? [] : [index]));
}

/** Characters in all requests, and those that were at the same position in the previous request. */
function cacheShare(requests: readonly string[]): { readonly sent: number; readonly served: number } {
  const served = requests.map((request, index) => commonLength(requests[index - 1] ?? "", request));
  return { sent: sum(requests.map(({ length }) => length)), served: sum(served) };
}

function commonLength(before: string, after: string): number {
  let length = 0;
  while (length < before.length && before[length] === after[length]) length++;
  return length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** SKILL.md of the skills that ship with the agent, as texts of realistic size. */
function bundledSkills(): Record<string, Record<string, string>> {
  const folder = new URL("../../../skills/", import.meta.url);
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return Object.fromEntries(
    names.map(({ name }) => [
      name,
      { "SKILL.md": readFileSync(new URL(`${name}/SKILL.md`, folder), "utf8") },
    ]),
  );
}

function skillFiles(name: string, description = `Does ${name}.`): Record<string, string> {
  return { "SKILL.md": `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n` };
}
