import { chmod, mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfiguration } from "@skillwright/config";
import { memoryRepository } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { onTestFinished } from "vitest";
import { removeTree } from "../../runtime-local/src/storage/remove-tree.js";
import type { Agent, AgentDependencies } from "../src/agent/agent.js";
import type { AgentConfig } from "../src/agent/agent-config.js";
import { createAgent } from "../src/agent/create-agent.js";
import { type ScriptedStep, scriptedModel } from "./scripted-model.js";
import { SHOUT } from "./test-agent.js";

export interface ConfiguredAgent {
  readonly agent: Agent;
  /** A folder of the test that every user may enter. */
  readonly folder: string;
  /** Sends a message and returns all requests to the model and all events as text. */
  said(message?: string): Promise<string>;
  /** Names of the tools in the last request. */
  tools(): readonly string[];
  /** Entries of the runtime's root, without its own. */
  workspaces(): Promise<readonly string[]>;
}

const TYPED = {
  "SKILL.md": `---
name: typed
description: Has parameters.
allowed-tools: Bash(echo:*)
metadata:
  team: blue
command: echo {{word}}
parameters:
  - name: word
    type: string
---
Typed.
`,
};

/** An agent whose settings come from `skillwright.config.json` in the user's home. */
export async function configuredAgent(
  fields: (folder: string) => object,
  steps: readonly ScriptedStep[] = [{ text: "Done." }],
  dependencies: AgentDependencies = {},
): Promise<ConfiguredAgent> {
  const folder = await mkdtemp(join(tmpdir(), "skillwright-options-"));
  onTestFinished(() => removeTree(folder));
  await chmod(folder, 0o755);
  const home = join(folder, "home");
  await mkdir(join(home, ".skillwright"), { recursive: true });
  const file = JSON.stringify({ agent: fields(folder) });
  await writeFile(join(home, ".skillwright", "skillwright.config.json"), file);
  const { configuration } = await loadConfiguration({ cwd: folder, home, env: {} });
  const given = configuration.agent as Partial<AgentConfig>;
  const { model, prompts, requests } = scriptedModel(steps);
  const skills = skillBox({ test: memoryRepository({ skills: { shout: SHOUT, typed: TYPED } }) });
  const root = given.sandbox?.root ?? join(folder, "workspaces");
  const agent = await createAgent(
    {
      ...{ modelConfig: { provider: "test", model: "test" }, ...given },
      sandbox: { isolation: "auto", root, ...given.sandbox },
    },
    {
      models: () => model,
      skills,
      runtime: ({ isolation, skillCopies }) => localRuntime({ root, isolation, skillCopies }),
      ...dependencies,
    },
  );
  onTestFinished(() => agent.close());
  return {
    agent,
    folder,
    said: async (message = "Go") => {
      const { events } = await agent.chat(message);
      return JSON.stringify([prompts, events]);
    },
    tools: () => requests.at(-1)?.tools?.map(({ name }) => name) ?? [],
    workspaces: async () => (await readdir(root)).filter((name) => !name.startsWith(".")),
  };
}
