import { expect, onTestFinished, test } from "vitest";
import { honestAnswers, hostileServer } from "../../repository-mcp/test/hostile-server.js";
import { openSkillSource, sourceClients } from "../src/index.js";

const HONEST = honestAnswers({ one: { "SKILL.md": "---\nname: one\ndescription: One.\n---\n" } });

async function opened(text: string, env: Readonly<Record<string, string>> = {}) {
  const clients = sourceClients(env);
  const repository = await openSkillSource(text, { cwd: "/", clients });
  onTestFinished(async () => {
    await repository.close();
    await clients.close();
  });
  return repository;
}

async function server() {
  const one = await hostileServer(HONEST);
  onTestFinished(() => one.close());
  return one;
}

test("an MCP server on this machine is read at its address, with the token for its origin (MCP-24)", async () => {
  const { url, state } = await server();
  const env = { SKILLWRIGHT_TOKENS: `${new URL(url).origin}=geheim` };
  const repository = await opened(`mcp+${url}`, env);
  expect(state.requests).toEqual([]);
  expect((await repository.load("one")).name).toBe("one");
  expect(state.authorization).toBe("Bearer geheim");
});

test("an MCP server with a private address is refused until its origin is named, as for any https source (MCP-24)", async () => {
  const address = "mcp+https://10.255.255.1/mcp";
  await expect((await opened(address)).list()).rejects.toMatchObject({
    code: "REFUSED",
    message: expect.stringContaining("SKILLWRIGHT_PRIVATE_ORIGINS"),
  });
});

test("http is for this machine only (MCP-24)", async () => {
  await expect(opened("mcp+http://example.com/mcp")).rejects.toMatchObject({ code: "CONFIG_INVALID" });
});
