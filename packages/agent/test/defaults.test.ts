import { readFileSync } from "node:fs";
import { checkAgentConfig } from "@skillwright/config";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AgentConfig } from "../src/agent/agent-config.js";
import { createAgent } from "../src/agent/create-agent.js";
import { importOptional } from "../src/models/import-optional.js";
import { scriptedModel } from "./scripted-model.js";
import { SHOUT } from "./test-agent.js";

const offline = { provider: "offline", model: "offline planner" };

describe("without dependencies", () => {
  test("the README's quick start returns an answer and the file that its skill wrote", async () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const [, code = ""] = /^```ts\n([\s\S]*?)^```$/m.exec(readme) ?? [];
    const body = code.replace(/^import (\{.*\}) from (".*");$/gm, "const $1 = await load($2);");
    const printed: unknown[] = [];
    const run = new AsyncFunction("load", "console", body);
    await run(async (name: string) => ENTRIES[name]?.(), {
      log: (...values: unknown[]) => printed.push(...values),
    });
    expect(printed).toEqual(["answered", ["out/greetings.txt"], expect.stringContaining("Hello, Ada")]);
  });

  test("a conversation stays in memory, and the template has the tools of the workspace", async () => {
    const { model, prompts, requests } = scriptedModel([{ text: "One." }, { text: "Two." }]);
    const agent = await createAgent(
      { modelConfig: { provider: "own", model: "own" } },
      { models: () => model, skills: skillBox({}) },
    );
    onTestFinished(() => agent.close());
    await agent.chat("first");
    await agent.chat("second");
    expect(prompts[1]?.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(requests[0]?.tools?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["workspace_list", "workspace_read", "workspace_run", "workspace_write"]),
    );
  });

  test("an agent without skills says so", async () => {
    const agent = await createAgent({ modelConfig: offline });
    onTestFinished(() => agent.close());
    expect((await agent.chat("Sum this up")).text).toContain("There are no skills");
  });
});

test("an error of the runtime's factory is passed on, and the caller's skills stay open", async () => {
  const skills = skillBox({ own: memoryRepository({ skills: { shout: SHOUT } }) });
  const failing = createAgent(
    { modelConfig: offline },
    { skills, runtime: () => Promise.reject(new Error("no engine")) },
  );
  await expect(failing).rejects.toThrow("no engine");
  expect((await skills.snapshot()).skills).toHaveLength(1);
});

test("a package that is not installed is named with the command that installs it", async () => {
  const cause = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
  const load = () => Promise.reject(cause);
  await expect(importOptional("@skillwright/runtime-docker", load)).rejects.toMatchObject({
    code: "UNSUPPORTED",
    message: expect.stringContaining("npm install @skillwright/runtime-docker"),
    cause,
  });
  const other = new Error("The package throws.");
  await expect(importOptional("any", () => Promise.reject(other))).rejects.toBe(other);
});

test("every field of the type is accepted", () => {
  const whole: Whole<AgentConfig> = {
    templateId: "assistant",
    modelConfig: {
      ...{ provider: "openai", model: "m", apiKey: "k", baseURL: "http://127.0.0.1:1/v1" },
      ...{ stream: false, systemPrompt: false },
    },
    sandbox: {
      ...{
        kind: "docker",
        isolation: "none",
        image: "node:22",
        workDir: "here",
        root: "/r",
        skillCopies: "workspace",
      },
      hostFolder: { path: "/p", undo: false, maxFiles: 1, maxBytes: 1 },
      cluster: {
        ...{
          supervisorImage: "s",
          warmPool: "w",
          keepMs: 1,
          measureNetwork: true,
          kubeconfig: "/k",
          context: "c",
          namespace: "n",
        },
        ...{ runtimeClassName: "gvisor", imagePullPolicy: "Never", imagePullSecrets: ["registry"] },
        ...{ nodeSelector: { pool: "sandboxes" }, tolerations: [{ key: "sandboxes", operator: "Exists" }] },
        ...{
          storageBytes: 2 ** 30,
          limits: { cpu: "2", memory: "2Gi" },
          requests: { cpu: "1", memory: "1Gi" },
        },
      },
    },
    skillsPackage: {
      ...{ source: "hybrid", path: "s3://bucket", localPath: ".", version: "1", skillsDir: "s" },
      ...{ commandsDir: "c", enabledSkills: ["a"], enabledCommands: ["b"] },
    },
    session: { app: "a", user: "u", session: "s" },
    agent: "planner",
    overview: {
      ...{ format: "names", maxCharacters: 1, maxSkills: 1, maxTokens: 1, metadata: ["k"] },
      texts: { heading: "", guidance: "g", triggered: "t", putBack: "p" },
    },
    loads: {
      bodies: "system",
      life: "once",
      maxLoaded: 1,
      declared: ["a", { skill: "b", documents: ["c.md"] }],
    },
    skillTools: {
      ...{ preset: "read", search: true, calls: true, requireLoad: true, maxResultCharacters: 5000 },
      ...{ manage: { scopes: { own: "s" }, review: "later" }, interactive: { maxRuns: 1, idleMs: 1 } },
      ...{ preApproved: true, saveOutputs: true, commands: { allowed: ["a"], denied: ["b"] } },
    },
    workspaces: {
      policies: [{ when: { idleFor: "1s" }, do: "destroy" }],
      policyInterval: "1s",
      policyLimits: { timeout: "1s", files: 1, bytes: 1 },
      ...{ registry: "/x", hostInputRoots: ["/h"], allowNetwork: true },
      limits: {
        ...{ memoryBytes: 1, cpu: 1, processes: 1, openFiles: 1, fileBytes: 1, diskBytes: 1, inodes: 1 },
      },
      bootstrap: [
        {
          ...{ name: "s", commands: ["c"], network: false, timeoutMs: 1, cache: ["work/c"] },
          files: [{ path: "work/f", content: "f", executable: true }],
        },
      ],
      environments: { root: "/e", maxBytes: 1 },
    },
    eventLimits: { bytes: 1, bytesPerSecond: 1 },
    compaction: { atCharacters: 1000, keepTurns: 0 },
    agentPromptReinjectEvery: 0,
    maxSteps: 1,
  };
  expect(checkAgentConfig(whole)).toEqual(whole);
});

/** Every field of a configuration, at every depth. */
type Whole<T> = T extends readonly string[] | string | number | boolean
  ? T
  : { readonly [Key in keyof T]-?: Whole<Exclude<T[Key], undefined>> };

const ENTRIES: Readonly<Record<string, () => Promise<unknown>>> = {
  "@skillwright/agent": () => import("../src/index.js"),
  "@skillwright/repository-memory": () => import("@skillwright/repository-memory"),
  "@skillwright/skillbox": () => import("@skillwright/skillbox"),
};

const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
  ...parametersAndBody: string[]
) => (...values: unknown[]) => Promise<void>;
