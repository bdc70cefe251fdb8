import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { ask, newConversation, say, scripted, testServer } from "./test-server.js";

if (hasAll("bubblewrap"))
  test("SERVE-97: an application without a runtime of its own never ends workspaces of another one", async () => {
    const one = application({});
    await ran(one);
    const other = application({
      workspaces: { policies: [{ when: { olderThan: "1ms" }, do: "destroy" }], policyInterval: "50ms" },
    });
    await ran(other);
    // The policy looks at all workspaces that it can see.
    await expect.poll(() => workspaces(other), { timeout: 60_000 }).toEqual([]);
    expect(await workspaces(one)).toHaveLength(1);
  });

function application(config: object) {
  const call = { calls: [{ tool: "skill_run", input: { skill: "shout", command: "true" } }] };
  const { agents, dependencies } = scripted([call, { text: "." }]);
  const assistant = { modelConfig: { provider: "test", model: "test" }, ...config };
  return testServer({
    agents: { ...agents, assistant },
    dependencies,
    app: randomUUID(),
    runtime: undefined,
  });
}

async function ran(server: ReturnType<typeof testServer>): Promise<void> {
  expect(await (await say(server, await newConversation(server), "Run it")).text()).toContain('"exitCode":0');
}

async function workspaces(server: ReturnType<typeof testServer>): Promise<unknown> {
  return await (await ask(server, "/workspaces")).json();
}
