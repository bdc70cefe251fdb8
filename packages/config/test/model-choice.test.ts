import { describe, expect, test } from "vitest";
import { modelChoice } from "../src/index.js";

describe("selection of the model", () => {
  test("the first key that is set decides, otherwise the offline planner", () => {
    expect(modelChoice(undefined, {})).toMatchObject({ provider: "offline", because: "no key found" });
    expect(modelChoice(undefined, { ANTHROPIC_API_KEY: "k" })).toMatchObject({
      provider: "anthropic",
      apiKey: "k",
    });
    const both = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "o", OPENAI_BASE_URL: "http://x/v1" };
    expect(modelChoice(undefined, both)).toMatchObject({
      provider: "openai",
      apiKey: "o",
      baseURL: "http://x/v1",
    });
  });

  test("--model selects provider and name; a name may contain colons", () => {
    expect(modelChoice("openai:llama3:8b", { OPENAI_API_KEY: "o" })).toMatchObject({ model: "llama3:8b" });
    expect(modelChoice("offline", { OPENAI_API_KEY: "o" })).toMatchObject({ provider: "offline" });
    expect(modelChoice("anthropic", { ANTHROPIC_API_KEY: "k" }).model).toMatch(/^claude/);
  });

  test.each([
    ["OPENAI_API_KEY", "sk-A\nsk-B"],
    ["ANTHROPIC_API_KEY", "sk-A\u201d"],
  ])("AGENT-19: a key in %s that no header can carry is refused, and not shown", (name, key) => {
    const choose = () => modelChoice(undefined, { [name]: key });
    expect(choose).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining(name) }),
    );
    expect(choose).not.toThrow(/sk-A/);
  });

  test("a missing key is reported with what to set, an unknown provider with the known ones", () => {
    expect(() => modelChoice("anthropic:claude-x", {})).toThrow(
      /ANTHROPIC_API_KEY is not set.*export ANTHROPIC_API_KEY/,
    );
    expect(() => modelChoice("openai:x", {})).toThrow(/OPENAI_BASE_URL too/);
    expect(() => modelChoice("acme:x", {})).toThrow(/openai, anthropic, offline/);
  });
});
