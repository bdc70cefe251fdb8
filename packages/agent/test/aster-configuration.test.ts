import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localRuntime } from "@skillwright/runtime-local";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AgentConfig, SandboxConfig } from "../src/agent/agent-config.js";
import { createAgent } from "../src/agent/create-agent.js";
import { scriptedModel } from "./scripted-model.js";

const SKILL =
  "---\nname: checker\ndescription: Checks chapters.\nallowed-tools: [Read, Write, Bash]\n---\nRead it.\n";

describe("a configuration as Aster writes it in JSON (AGENT-09)", () => {
  test("has its names, and what was not set counts as absent", async () => {
    const { agent, requests } = await asterAgent({});
    await agent.chat("Hello");
    expect((await agent.skills()).skills.map(({ name }) => name)).toEqual(["checker"]);
    expect(requests[0]?.tools?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["skill_run", "workspace_read", "workspace_write", "workspace_run"]),
    );
  });

  test("without a sandbox it runs on this machine, in one", async () => {
    const { sandbox } = await asterAgent({ sandbox: null, skills_package: null });
    expect(sandbox()).toEqual({ kind: "local", isolation: "sandbox", workDir: "." });
  });

  test("a mentioned skill is shown with the tools that it names", async () => {
    const { agent, prompts } = await asterAgent({});
    await agent.chat("Please use $checker");
    expect(JSON.stringify(prompts[0])).toContain(
      "Tools: Read (here workspace_read), Write (here workspace_write), Bash (here skill_run)",
    );
  });
});

async function asterAgent(more: object) {
  const workDir = await mkdtemp(join(tmpdir(), "skillwright-agent-"));
  onTestFinished(() => rm(workDir, { recursive: true, force: true }));
  await mkdir(join(workDir, "skills/checker"), { recursive: true });
  await writeFile(join(workDir, "skills/checker/SKILL.md"), SKILL);
  let asked: SandboxConfig | undefined;
  const { model, prompts, requests } = scriptedModel([{ text: "Done." }]);
  const config = {
    template_id: "",
    model_config: { provider: "own", model: "own", api_key: "", base_url: "" },
    sandbox: { kind: "", work_dir: workDir },
    skills_package: {
      source: "",
      path: ".",
      version: "",
      commands_dir: "",
      skills_dir: "",
      enabled_skills: null,
    },
    ...more,
  };
  const agent = await createAgent(config as unknown as AgentConfig, {
    models: () => model,
    runtime: (sandbox) => {
      asked = sandbox;
      return localRuntime({ isolation: "auto" });
    },
    templates: { assistant: { systemPrompt: "Help.", tools: ["Read", "Write", "Bash"] } },
  });
  onTestFinished(() => agent.close());
  return { agent, prompts, requests, sandbox: () => asked };
}
