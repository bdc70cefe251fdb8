import { Secret } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { modelProvider } from "../src/models/model-provider.js";
import { openaiServer } from "./openai-server.js";
import { testAgent } from "./test-agent.js";

describe("the provider's model", () => {
  test("is created for openai, anthropic and offline, and refuses another with the field's name", async () => {
    const base = { model: "m", apiKey: new Secret("k"), stream: true, systemPrompt: true };
    for (const provider of ["openai", "anthropic", "offline"])
      expect((await modelProvider({ ...base, provider })).specificationVersion).toBe("v4");
    await expect(modelProvider({ ...base, provider: "acme" })).rejects.toThrow(
      /modelConfig\.provider.*"acme".*openai/,
    );
  });

  test("anthropic uses the given address, and reports a wrong key", async () => {
    const { baseURL, requests } = await openaiServer([{ status: 401 }]);
    const config = {
      provider: "anthropic",
      model: "m",
      apiKey: "wrong",
      baseURL,
      stream: true,
      systemPrompt: true,
    };
    const agent = await testAgent({ model: await modelProvider(config) });
    await expect(agent.chat("hello")).rejects.toThrow(/API key is correct/);
    expect(requests[0]?.path).toBe("/v1/messages");
  });
});
