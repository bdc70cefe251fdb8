import { randomUUID } from "node:crypto";
import type { AgentEvent } from "@skillwright/agent";
import { memoryRecords } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { workspaceManager } from "@skillwright/workspace";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "./scripted-model.js";
import { testAgent } from "./test-agent.js";

describe("AGENT-23: after a conversation's workspace was ended, the next turn", () => {
  let conversation: ReturnType<typeof newConversation>;
  beforeEach(() => {
    conversation = newConversation();
  });

  test("tells the model and the person once, with the names of the uploads", async () => {
    const { agent, told, events, end } = conversation;
    const first = await agent();
    await first.upload("a.csv", "a\n");
    await first.chat("Read it");
    expect(told.at(-1)).toContain("Uploaded files: work/inputs/a.csv");
    await end();
    const next = await agent();
    await next.chat("Go on", events);
    expect(told.at(-1)).toMatch(/All files in it are gone: work\/inputs\/a\.csv, and what commands wrote\./);
    expect(events.notices()).toMatchObject([
      { code: "workspace.files-gone", message: expect.stringContaining("gone: a.csv.") },
    ]);
    await next.chat("And now", events);
    expect(told.at(-1)).not.toContain("gone");
    expect(events.notices()).toHaveLength(1);
  });

  test("tells that uploads are gone which no message has mentioned yet, and does not announce them", async () => {
    const { agent, told, end } = conversation;
    await (await agent()).upload("a.csv", "a\n");
    await end();
    await (await agent()).chat("Read it");
    expect(told.at(-1)).toContain("are gone: work/inputs/a.csv");
    expect(told.at(-1)).not.toContain("Uploaded files");
  });

  test("names the lost uploads even if a later upload has created a new workspace", async () => {
    const { agent, told, end } = conversation;
    const first = await agent();
    await first.upload("a.csv", "a\n");
    await first.chat("Read it");
    await end();
    const next = await agent();
    await next.upload("b.csv", "b\n");
    await next.chat("And this");
    expect(told.at(-1)).toContain("These uploads are no longer in the workspace: work/inputs/a.csv.");
    expect(told.at(-1)).toContain("Uploaded files: work/inputs/b.csv");
    await next.chat("And now");
    expect(told.at(-1)).not.toContain("no longer");
  });

  test("tells the model that files of commands and tools are gone", async () => {
    const { agent, told, end } = conversation;
    const write = { tool: "workspace_write", input: { path: "work/x.txt", content: "x" } };
    await (await agent([{ calls: [write] }, { text: "Written." }])).chat("Write it");
    await end();
    await (await agent()).chat("Go on");
    expect(told.at(-1)).toContain("All files in it are gone. Saved outputs are kept.");
  });

  test("tells it even if another process ended the workspace of an open agent", async () => {
    const { agent, told, end } = conversation;
    const one = await agent();
    await one.upload("a.csv", "a\n");
    await end();
    await one.chat("Read it");
    expect(told.at(-1)).toContain("are gone: work/inputs/a.csv");
  });

  test("tells nothing if the workspace exists, whichever process takes the message", async () => {
    const { agent, told, events } = conversation;
    const [one, other] = [await agent(), await agent()];
    await one.upload("a.csv", "a\n");
    for (const each of [one, other, one]) {
      await each.chat("Go on", events);
      expect(told.at(-1)).not.toMatch(/gone|no longer/);
    }
    expect(events.notices()).toEqual([]);
  });
});

/** Agents of one conversation, as several processes would have them. */
function newConversation() {
  const session = { app: "test", user: "u", session: randomUUID() };
  const records = memoryRecords();
  const told: string[] = [];
  const seen: AgentEvent[] = [];
  const runtime = localRuntime({ isolation: "auto" });
  const workspaces = workspaceManager({ skills: skillBox({}), runtime });
  onTestFinished(async () => {
    await workspaces.close();
    await runtime.close();
  });
  const agent = (steps: Parameters<typeof scriptedModel>[0] = []) =>
    testAgent({
      ...{ records, withoutSkills: true, config: { session } },
      model: scriptedModel(
        Array.isArray(steps) && steps.length > 0
          ? steps
          : (_, { prompt }) => {
              told.push(JSON.stringify(prompt.filter(({ role }) => role === "user").at(-1)));
              return { text: "Yes." };
            },
      ).model,
    });
  return {
    ...{ agent, told },
    end: async () => void (await workspaces.destroy((await workspaces.forSession(session)).id)),
    events: {
      onEvent: (event: AgentEvent) => void seen.push(event),
      notices: () => seen.flatMap((event) => (event.type === "notice" ? [event.diagnostic] : [])),
    },
  };
}
