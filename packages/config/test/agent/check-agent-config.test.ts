import { SkillError } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { checkAgentConfig } from "../../src/agent/check-agent-config.js";

const fine = { templateId: "assistant", modelConfig: { provider: "openai", model: "gpt-5-mini" } };

describe("the agent's configuration", () => {
  test("applies the defaults", () => {
    const checked = checkAgentConfig({ ...fine, skillsPackage: { source: "local" } });
    expect(checked.maxSteps).toBe(16);
    expect(checked.sandbox).toEqual({ kind: "local", isolation: "sandbox", workDir: "." });
    // The defaults of its own are set when it is opened.
    expect(checked.skillsPackage).toEqual({ source: "local" });
  });

  test.each([
    ["templateId", { ...fine, templateId: 5 }, "5", "string"],
    ["modelConfig.model", { ...fine, modelConfig: { provider: "openai", model: "" } }, "nothing", "string"],
    ["template_id", { ...fine, template_id: "b" }, "does not exist", "no such field"],
    ["modelConfig", { templateId: "assistant" }, "nothing", "object"],
    ["modelConfig.model", { ...fine, modelConfig: { provider: "openai", model: 5 } }, "5", "string"],
    [
      "modelConfig.baseURL",
      { ...fine, modelConfig: { ...fine.modelConfig, baseURL: "here" } },
      '"here"',
      "URL",
    ],
    ["sandbox.kind", { ...fine, sandbox: { kind: "vm" } }, '"vm"', '"local", "docker"'],
    [
      "sandbox.isolation",
      { ...fine, sandbox: { isolation: "maybe" } },
      '"maybe"',
      '"sandbox", "auto", "none"',
    ],
    [
      "skillsPackage.source",
      { ...fine, skillsPackage: { source: "ftp" } },
      '"ftp"',
      '"local", "oss", "s3", "hybrid"',
    ],
    ["skillsPackage.path", { ...fine, skillsPackage: { source: "s3" } }, '"."', "a place in a bucket"],
    [
      "skillsPackage.enabledSkills.1",
      { ...fine, skillsPackage: { source: "local", enabledSkills: ["a", 7] } },
      "7",
      "string",
    ],
    ["maxSteps", { ...fine, maxSteps: 0 }, "0", "at least 1"],
    ["maxSteps", { ...fine, maxSteps: 1.5 }, "1.5", "whole number"],
    ["sandbox.memory", { ...fine, sandbox: { memory: 5 } }, "does not exist", "no such field"],
  ])("names the field %s, the given value and what is expected", (path, config, given, expected) => {
    const error = thrown(config);
    expect(SkillError.is(error, "CONFIG_INVALID")).toBe(true);
    const line = error.message.split("\n").find((one) => one.startsWith(`- ${path}: `)) ?? "";
    expect(line).toContain(given);
    expect(line).toContain(expected);
    expect(error.details["fields"]).toContainEqual(expect.objectContaining({ path }));
  });

  test("names all wrong fields at once", () => {
    const error = thrown({ templateId: 1, modelConfig: { provider: "x" }, extra: true });
    expect(error.message).toMatch(/templateId[\s\S]*modelConfig\.model[\s\S]*extra/);
  });

  test("never repeats a value that may be a key", () => {
    const error = thrown({ ...fine, modelConfig: { ...fine.modelConfig, apiKey: ["sk-secret"] } });
    expect(error.message).toContain("modelConfig.apiKey");
    expect(error.message).not.toContain("sk-secret");
  });
});

function thrown(config: unknown): SkillError {
  try {
    checkAgentConfig(config);
  } catch (error) {
    return error as SkillError;
  }
  throw new Error("It was accepted.");
}
