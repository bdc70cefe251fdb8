import { memoryRepository } from "@skillwright/repository-memory";
import { describe, expect, test } from "vitest";
import type { AgentConfig } from "../src/agent/agent-config.js";
import { recordingProvider } from "./recording-provider.js";
import type { ScriptedStep } from "./scripted-model.js";
import { SHOUT, testAgent } from "./test-agent.js";

const load = { calls: [{ tool: "skill_load", input: { skill: "shout" } }] };
const run = { calls: [{ tool: "skill_run", input: { skill: "shout", command: "true" } }] };
const said = { text: "Done." };

describe.each(["openai", "anthropic"] as const)(
  "a skill that changes while it is loaded (%s)",
  (protocol) => {
    test("its old text stays in place, the next message reports the change, and it must be loaded again", async () => {
      const { agent, edit, requests } = await conversation(protocol, [load, said, run, load, run, said], {
        loads: { life: "session" },
        skillTools: { requireLoad: true },
      });
      await agent.chat("Load it");
      await edit("Whisper instead.");
      const second = await agent.chat("Use it");

      const refused = second.events.flatMap((event) =>
        event.type === "tool.response" ? [event.isError] : [],
      );
      expect(refused).toEqual([true, false, false]);
      expect(second.diagnostics).toContainEqual(expect.objectContaining({ code: "loads.outdated" }));
      for (const [index, request] of requests.entries())
        expect(request.startsWith(requests[index - 1] ?? ""), `request ${index + 1}`).toBe(true);
      const [, , told = ""] = requests;
      expect(told).toContain("# Shout");
      expect(told).toMatch(
        /Use it[\s\S]*its instructions above are out of date; load it again before use\): shout/,
      );
      expect(told).not.toContain("Whisper");
      expect(requests.at(-1)).toContain("Whisper instead.");
    });
  },
);

test("with bodies in the system prompt the new text is in it, and nothing has to be loaded again", async () => {
  const { agent, edit, requests } = await conversation("openai", [load, said, run, said], {
    loads: { life: "session", bodies: "system" },
    skillTools: { requireLoad: true },
  });
  await agent.chat("Load it");
  await edit("Whisper instead.");
  const { events } = await agent.chat("Use it");
  expect(events.flatMap((event) => (event.type === "tool.response" ? [event.isError] : []))).toEqual([false]);
  expect(requests[2]).toContain("Whisper instead.");
  expect(requests[2]).not.toContain("# Shout");
});

async function conversation(
  protocol: "openai" | "anthropic",
  steps: readonly ScriptedStep[],
  config: Partial<AgentConfig>,
) {
  const repository = memoryRepository({ skills: { shout: SHOUT } });
  const { model, requests } = recordingProvider(protocol, steps);
  const modelConfig = { provider: "test", model: "test", stream: false };
  const agent = await testAgent({ model, repository, config: { modelConfig, ...config } });
  const edit = async (body: string): Promise<void> => {
    const text = SHOUT["SKILL.md"].replace("# Shout", body);
    await repository.upload([{ path: "SKILL.md", content: new TextEncoder().encode(text) }], {
      existing: "replace",
    });
  };
  return { agent, edit, requests };
}
