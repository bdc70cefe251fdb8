import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { expect, onTestFinished, test } from "vitest";
import { createAgent } from "../src/agent/create-agent.js";
import { scriptedModel } from "./scripted-model.js";
import { SHOUT } from "./test-agent.js";

test("a session is told in its next turn of repositories that were added to its catalogue and removed from it", async () => {
  const { model, prompts } = scriptedModel([{ text: "Done." }]);
  const box = skillBox({ first: memoryRepository({ skills: { shout: SHOUT } }) });
  onTestFinished(() => box.close());
  const agent = await createAgent(
    { modelConfig: { provider: "test", model: "test" }, sandbox: { isolation: "auto" } },
    { models: () => model, skills: box },
  );
  onTestFinished(() => agent.close());
  await agent.chat("Hello");
  const hush = { "SKILL.md": "---\nname: hush\ndescription: Writes softly.\n---\nSoftly.\n" };
  box.addSource("second", memoryRepository({ skills: { hush } }));
  await agent.chat("What now?");
  expect(JSON.stringify(prompts[1]?.at(-1))).toMatch(/What now\?[\s\S]*hush/);
  box.removeSource("first");
  await agent.chat("And now?");
  const said = JSON.stringify(prompts[2]?.at(-1));
  expect(said).toMatch(/And now\?[\s\S]*shout/);
  expect(said).not.toContain("hush");
  // The prefix of the conversation stays as it was.
  expect(prompts[2]?.slice(0, 2)).toEqual(prompts[0]?.slice(0, 2));
  await agent.chat("And still?");
  expect(JSON.stringify(prompts[3]?.at(-1))).not.toContain("shout");
});
