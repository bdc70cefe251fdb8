import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { Secret } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createAgent } from "../src/agent/create-agent.js";
import { openaiServer } from "./openai-server.js";

const KEY = "sk-4fQ9vLm2xT7pWc3zBn8kYr";

afterEach(() => void vi.unstubAllEnvs());

describe.each(["openai", "anthropic"])("AGENT-19: a key of %s that no header can carry", (provider) => {
  test.each([
    ["a line end inside", `${KEY}\n${KEY}`],
    ["two lines of Windows", `${KEY}\r\n${KEY}`],
    ["a bracketed paste", `\u001b[200~${KEY}\u001b[201~`],
    ["a typographic quote", `${KEY}”`],
    ["nothing but blanks", " \n"],
  ])("%s is refused at the start, and not shown", async (_, key) => {
    for (const apiKey of [key, new Secret(key)]) {
      const error = await agentOf({ provider, apiKey, baseURL: "http://127.0.0.1:9" }).catch(
        (one: unknown) => one,
      );
      expect(error).toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringMatching(/modelConfig\.apiKey.*printable ASCII/s),
      });
      expect(inspect(error, { depth: null })).not.toContain(KEY);
    }
  });
});

test("AGENT-19: a key in the variable of Anthropic is also checked, and not shown", async () => {
  vi.stubEnv("ANTHROPIC_API_KEY", `${KEY}\n${KEY}`);
  const error = await agentOf({ provider: "anthropic" }).catch((one: unknown) => one);
  expect(error).toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringContaining("ANTHROPIC_API_KEY"),
  });
  expect(inspect(error, { depth: null })).not.toContain(KEY);
});

test("blanks and a line end around a key are removed", async () => {
  const { baseURL, requests } = await openaiServer([{ text: "fine" }]);
  const agent = await agentOf({ provider: "openai", apiKey: new Secret(`  ${KEY}\n`), baseURL });
  expect((await agent.chat("hi")).text).toBe("fine");
  expect(requests[0]?.authorization).toBe(`Bearer ${KEY}`);
});

describe.each([
  ["streaming", true],
  ["whole answers", false],
])("AGENT-20: a key that a provider repeats is masked, %s", (_, stream) => {
  test.each([
    ["in a refusal", 401],
    ["in an error that is a part of an answer", 200],
  ])("%s", async (_, status) => {
    const baseURL = await echoingServer(status);
    const agent = await agentOf({ provider: "openai", apiKey: new Secret(KEY), baseURL, stream });
    const error = await agent.chat("hi").catch((one: unknown) => one);
    expect(error).toMatchObject({ code: "BACKEND_FAILED" });
    expect(inspect(error, { depth: null, maxStringLength: null })).not.toContain(KEY);
    if (status === 401)
      expect(error).toMatchObject({ message: expect.stringContaining("Incorrect key ***") });
  });

  test("a password in the address is masked", async () => {
    const baseURL = `http://me:${KEY}@127.0.0.1:9/v1`;
    const agent = await agentOf({ provider: "openai", apiKey: "k", baseURL, stream });
    const error = await agent.chat("hi").catch((one: unknown) => one);
    expect(error).toMatchObject({ code: "BACKEND_FAILED" });
    expect(inspect(error, { depth: null, maxStringLength: null })).not.toContain(KEY);
  });
});

async function agentOf(config: {
  provider: string;
  apiKey?: string | Secret;
  baseURL?: string;
  stream?: boolean;
}) {
  const agent = await createAgent(
    { modelConfig: { model: "m", ...config }, sandbox: { isolation: "auto" } },
    { skills: skillBox({ own: memoryRepository({ skills: {} }) }) },
  );
  onTestFinished(() => agent.close());
  return agent;
}

/** A server that repeats the key it was sent. */
async function echoingServer(status: number): Promise<string> {
  const server = createServer((request, response) => {
    const error = {
      message: `Incorrect key ${request.headers.authorization?.replace("Bearer ", "")}`,
      type: "x",
    };
    const isStream = status === 200;
    response.writeHead(status, { "content-type": isStream ? "text/event-stream" : "application/json" });
    response.end(
      isStream ? `data: ${JSON.stringify({ error })}\n\ndata: [DONE]\n\n` : JSON.stringify({ error }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
