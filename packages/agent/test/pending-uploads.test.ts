import { delegate } from "@skillwright/core/adapter";
import { recordSessions } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { describe, expect, test } from "vitest";
import { scriptedModel } from "./scripted-model.js";
import { testAgent } from "./test-agent.js";

const session = { app: "test", user: "u", session: "uploads" };

/** Agents of one conversation, as several processes would have them, and the user's messages that their model got. */
function shared(more: { agent?: string } = {}) {
  const records = memoryRecords();
  const sessions = recordSessions(records);
  const told: string[] = [];
  /** The store that a process leaves behind when it is killed in its first step. */
  const dying = delegate(records, {
    write: async (key, ...change) => {
      if (key[0] === "session") throw new Error("killed");
      return await records.write(key, ...change);
    },
  });
  const agent = (options: { dies?: boolean; agent?: string } = {}) =>
    testAgent({
      ...{
        records: options.dies ? dying : records,
        withoutSkills: true,
        config: { session, ...more, ...(options.agent && options) },
      },
      model: scriptedModel((_, { prompt }) => {
        told.push(JSON.stringify(prompt.filter(({ role }) => role === "user").at(-1)));
        return { text: "Yes." };
      }).model,
    });
  return { agent, told, sessions };
}

describe("files that a user uploads", () => {
  test("AGENT-15: are mentioned once, in the next message, even if another process takes it", async () => {
    const { agent, told } = shared();
    const [one, other] = [await agent(), await agent()];
    await one.upload("report.csv", "a,b\n");
    await other.chat("Read it");
    await one.upload("second.csv", "c,d\n");
    await one.chat("And this");
    await other.chat("And now");
    expect(told.map((text) => text.match(/\w+\.csv/g) ?? [])).toEqual([["report.csv"], ["second.csv"], []]);
  });

  test("AGENT-15: are mentioned again if the message did not reach the history", async () => {
    const { agent, told } = shared();
    const dying = await agent({ dies: true });
    await dying.upload("report.csv", "a,b\n");
    const options = { turn: { id: "t1" } };
    await expect(dying.chat("Read it", options)).rejects.toThrow("killed");
    await (await agent()).chat("Again", { turn: { id: "t2" } });
    expect(told.at(-1)).toContain("report.csv");
  });

  test("AGENT-15: are mentioned once in a turn that another process continues", async () => {
    const { agent, told } = shared();
    const dying = await agent({ dies: true });
    await dying.upload("report.csv", "a,b\n");
    const options = { turn: { id: "t1" } };
    await expect(dying.chat("Read it", options)).rejects.toThrow("killed");
    const next = await agent();
    expect(await next.resume(options)).toBeUndefined();
    await next.chat("Read it", options);
    expect(told.at(-1)).toContain("report.csv");
    await next.chat("And now", { turn: { id: "t2" } });
    expect(told.at(-1)).not.toContain("report.csv");
  });

  test.each(["constructor", "__proto__", "toString"])(
    "are mentioned to each of several agents by its own uploads, also to one with the name %s",
    async (name) => {
      const { agent, told } = shared();
      const [one, other] = [await agent({ agent: name }), await agent({ agent: "other" })];
      await other.upload("first.csv", "a,b\n");
      await one.upload("report.csv", "a,b\n");
      await one.chat("Read it");
      expect(told.at(-1)).toMatch(/^(?!.*first\.csv).*report\.csv/s);
      await other.chat("Hello");
      expect(told.at(-1)).toMatch(/^(?!.*report\.csv).*first\.csv/s);
      await one.chat("And now");
      expect(told.at(-1)).not.toContain("report.csv");
    },
  );

  test("are no longer mentioned after the conversation was reset", async () => {
    const { agent, told } = shared();
    const one = await agent();
    await one.upload("report.csv", "a,b\n");
    await one.reset();
    await one.chat("Hello");
    expect(told.at(-1)).not.toContain("report.csv");
  });
});
