import { checkAgentConfig } from "@skillwright/config";
import { expect, test } from "vitest";
import type { AgentConfig } from "../src/agent/agent-config.js";
import type { AgentEvent } from "../src/agent/agent-event.js";
import { scriptedModel } from "./scripted-model.js";
import { SHOUT, testAgent } from "./test-agent.js";

const LONG = { ...SHOUT, "long.txt": "x".repeat(100_000) };

const CALLS = [
  { tool: "workspace_read", input: { path: "skills/shout/long.txt", max_bytes: 100_000 } },
  { tool: "skill_run", input: { skill: "shout", command: "cp long.txt out/", outputs: { inline: true } } },
  { tool: "workspace_read", input: { path: "out/long.txt", max_bytes: 100_000 } },
];

test.each([
  ["64 KiB of characters by default", undefined, 65_536],
  ["what `skillTools.maxResultCharacters` says", 8192, 8192],
])("the model gets %s of each tool's result, and the cut is reported", async (_, given, most) => {
  const { model, prompts } = scriptedModel([...CALLS.map((call) => ({ calls: [call] })), { text: "Done." }]);
  const skillTools = { maxResultCharacters: given };
  const agent = await testAgent({ model, skills: { shout: LONG }, config: { skillTools } });
  const { finish, diagnostics } = await agent.chat("Read it.");
  expect(finish).toBe("answered");
  const results = (prompts.at(-1) ?? [])
    .filter(({ role }) => role === "tool")
    .map(({ content }) => JSON.stringify(content).replaceAll(/\\+"/g, '"').length);
  expect(results).toHaveLength(3);
  for (const size of results) {
    expect(size).toBeLessThan(most + 500);
    expect(size).toBeGreaterThan(most / 3);
  }
  expect(diagnostics.some(({ code }) => code === "result.cut")).toBe(true);
});

test.each([
  ["at most 4 MiB of a run by default", { bytesPerSecond: 1_000_000_000 }, 4 * 1024 * 1024],
  ["at most `eventLimits.bytes` of a run", { bytes: 5000 }, 5000],
  ["at most `eventLimits.bytesPerSecond` at once", { bytesPerSecond: 5000 }, 5000],
] as const)("a listener of a turn receives %s, and how much was dropped", async (_, eventLimits, most) => {
  const bytes = 8_000_000;
  const command = `head -c ${bytes} /dev/zero | tr '\\0' x`;
  const run = { tool: "skill_run", input: { skill: "shout", command } };
  const heard = { text: 0, dropped: 0 };
  function onEvent(event: AgentEvent): void {
    if (event.type !== "tool.progress") return;
    if (event.event.type === "run.output") heard.text += event.event.text.length;
    if (event.event.type === "run.output-dropped") heard.dropped += event.event.bytes;
  }
  const agent = await agentWith({ eventLimits }, [{ calls: [run] }, { text: "Done." }]);
  const started = performance.now();
  const { events } = await agent.chat("Run it.", { onEvent });
  const seconds = (performance.now() - started) / 1000;
  expect(heard.text + heard.dropped).toBe(bytes);
  const bindsPerSecond = "bytesPerSecond" in eventLimits && eventLimits.bytesPerSecond === most;
  expect(heard.text).toBeLessThanOrEqual(bindsPerSecond ? most * (1 + seconds) : most);
  // Pieces are dropped whole; one of a pipe has at most 64 KiB.
  if (!bindsPerSecond) expect(heard.text).toBeGreaterThan(most - 64 * 1024);
  expect(heard.dropped).toBeGreaterThan(0);
  expect(JSON.stringify(events)).not.toContain("run.output");
});

test("an invalid limit is refused with the fields' names", () => {
  const config = { templateId: "t", modelConfig: { provider: "p", model: "m" } };
  const wrong = { skillTools: { maxResultCharacters: 10 }, eventLimits: { bytes: -1 } };
  expect(() => checkAgentConfig({ ...config, ...wrong })).toThrow(
    /skillTools\.maxResultCharacters[\s\S]*eventLimits\.bytes/,
  );
});

function agentWith(config: Partial<AgentConfig>, steps: Parameters<typeof scriptedModel>[0]) {
  return testAgent({ model: scriptedModel(steps).model, skills: { shout: LONG }, config });
}
