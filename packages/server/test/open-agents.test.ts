import { recordRegistry } from "@skillwright/records";
import { memoryArtifacts, memoryRecords } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, onTestFinished, test } from "vitest";
import { openAgents } from "../src/parts/open-agents.js";

/** More agents than stay open without work. */
const MANY = 150;

function setUp(skillTools: { readonly interactive?: boolean } = {}) {
  const skills = skillBox({});
  const runtime = localRuntime({ isolation: "none" });
  const agents = openAgents(
    { agents: { assistant: { modelConfig: { provider: "offline", model: "offline planner" }, skillTools } } },
    {
      ...{ skills, runtime, records: memoryRecords() },
      ...{ registry: recordRegistry(memoryRecords()), artifacts: memoryArtifacts() },
    },
    (work, error) => expect.fail(`${work} failed: ${error}`),
  );
  onTestFinished(async () => {
    await agents.close({ except: [] });
    await runtime.close();
    await skills.close();
  });
  const scopeOf = (session: string) => ({ app: "agents", user: "ada", session });
  const of = (session: string) => agents.use(scopeOf(session), "assistant", async (agent) => agent);
  const useMany = async () => {
    for (let n = 0; n < MANY; n++) await of(`other ${n}`);
  };
  return { agents, scopeOf, of, useMany };
}

describe("agents of conversations", () => {
  test("are closed while they have no work and many others are used, and are opened again when needed", async () => {
    const { of, useMany } = setUp();
    const first = await of("first");
    await useMany();
    await expect(first.upload("a.txt", "a")).rejects.toMatchObject({ code: "CLOSED" });
    expect(await of("first")).not.toBe(first);
  });

  test("stay open while they have work", async () => {
    const { agents, scopeOf, of, useMany } = setUp();
    await agents.use(scopeOf("first"), "assistant", async (agent) => {
      await useMany();
      expect(await of("first")).toBe(agent);
    });
  });

  test("stay open if they may have interactive runs, which a new agent would not find", async () => {
    const { of, useMany } = setUp({ interactive: true });
    const first = await of("first");
    await useMany();
    expect(await of("first")).toBe(first);
  });
});
