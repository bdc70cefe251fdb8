import { expect, test } from "vitest";
import { agentServer } from "../src/index.js";

test("AGENT-19: a server refuses a model's key that no header can carry, and does not show it", () => {
  const key = "sk-4fQ9vLm2xT7p";
  const modelConfig = { provider: "openai", model: "m", apiKey: `${key}\n${key}` };
  const make = () => agentServer({ agents: { assistant: { modelConfig } } });
  expect(make).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  expect(make).not.toThrow(new RegExp(key));
});
