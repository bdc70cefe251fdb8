import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { configuredAgent } from "./configured-agent.js";
import { declaredOptions } from "./declared-options.js";
import type { ScriptedStep } from "./scripted-model.js";

const run = (command: string, more: object = {}): ScriptedStep => ({
  calls: [{ tool: "skill_run", input: { skill: "shout", command, ...more } }],
});
const load = (skill: string): ScriptedStep => ({ calls: [{ tool: "skill_load", input: { skill } }] });
const done: ScriptedStep = { text: "Done." };

/** Sets the option in the configuration file and observes what it does. */
const SET: Readonly<Record<string, () => Promise<void>>> = {
  "WorkspaceManagerOptions.registry": async () => {
    const { agent, folder } = await configuredAgent((own) => ({
      workspaces: { registry: join(own, "records") },
    }));
    await agent.upload("a.txt", "a");
    expect((await readdir(join(folder, "records"))).some((name) => name.startsWith("ws_"))).toBe(true);
  },
  "WorkspaceManagerOptions.policies": async () => {
    const policies = [{ when: { moreThan: 0 }, do: "destroy" }];
    const { agent, workspaces } = await configuredAgent(() => ({
      workspaces: { policies, policyInterval: "100ms" },
    }));
    await agent.upload("a.txt", "a");
    await expect.poll(workspaces, { timeout: 60_000 }).toEqual([]);
  },
  "WorkspaceManagerOptions.policyInterval": () => refused({ workspaces: { policyInterval: "soon" } }, "soon"),
  "WorkspaceManagerOptions.policyLimits": () =>
    refused({ workspaces: { policyLimits: { timeout: "late" } } }, "late"),
  "WorkspaceManagerOptions.hostInputRoots": async () => {
    const steps = (folder: string) => [
      run("cat inputs/host.txt", { inputs: [{ from: `host://${join(folder, "host.txt")}` }] }),
      done,
    ];
    let script: ScriptedStep[] = [];
    const { folder, said } = await configuredAgent(
      (own) => {
        script = steps(own);
        return { workspaces: { hostInputRoots: [own] } };
      },
      new Proxy([] as ScriptedStep[], { get: (_, key) => Reflect.get(script, key) }),
    );
    await writeFile(join(folder, "host.txt"), "from the host");
    expect(await said()).toContain("from the host");
  },
  "WorkspaceManagerOptions.allowNetwork": async () => {
    const bootstrap = [{ name: "net", commands: ["true"], network: true }];
    await refused({ workspaces: { bootstrap } }, "network");
    await configuredAgent(() => ({ workspaces: { bootstrap, allowNetwork: true } }));
  },
  "WorkspaceManagerOptions.limits": async () => {
    const { said } = await configuredAgent(
      () => ({ workspaces: { limits: { openFiles: 77 } } }),
      [run("echo files: $(ulimit -n)"), done],
    );
    expect(await said()).toMatch(/files: 77|openFiles/);
  },
  "WorkspaceManagerOptions.eventLimits": async () => {
    const { agent } = await configuredAgent(() => ({ eventLimits: { bytes: 0 } }), [run("echo hello"), done]);
    const types: string[] = [];
    await agent.chat("Go", {
      onEvent: (event) => event.type === "tool.progress" && types.push(event.event.type),
    });
    expect(types).toContain("run.output-dropped");
  },
  "WorkspaceManagerOptions.bootstrap": async () => {
    const bootstrap = [{ name: "file", files: [{ path: "work/made.txt", content: "was made" }] }];
    const { said } = await configuredAgent(
      () => ({ workspaces: { bootstrap } }),
      [run("cat work/made.txt"), done],
    );
    expect(await said()).toContain("was made");
  },
  "SkillToolsOptions.preset": () => offers({ preset: "activate" }, "skill_activate"),
  "SkillToolsOptions.search": () => offers({ search: true }, "skill_search"),
  "SkillToolsOptions.manage": () =>
    offers({ manage: { scopes: { own: "test" }, review: "none" } }, "skill_manage"),
  "SkillToolsOptions.calls": () => offers({ calls: true }, "skill_call"),
  "SkillToolsOptions.interactive": () => offers({ interactive: { maxRuns: 1 } }, "skill_start"),
  "SkillToolsOptions.preApproved": async () => {
    const steps: ScriptedStep[] = [
      { calls: [{ tool: "skill_run", input: { skill: "typed", command: "echo pre" } }] },
      done,
    ];
    const asking = { mustAsk: () => true, approval: async () => ({ allowed: false }) };
    const asked = await configuredAgent(() => ({}), steps, asking);
    expect(await asked.said()).toContain("REFUSED");
    const { said } = await configuredAgent(() => ({ skillTools: { preApproved: true } }), steps, asking);
    expect(await said()).not.toContain("REFUSED");
  },
  "SkillToolsOptions.policy": async () => {
    const fields = () => ({ skillTools: { commands: { denied: ["cat"] } } });
    const { said } = await configuredAgent(fields, [run("cat SKILL.md"), done]);
    expect(await said()).toContain("REFUSED");
  },
  "SkillToolsOptions.requireLoad": async () => {
    const { agent } = await configuredAgent(
      () => ({ skillTools: { requireLoad: true } }),
      [run("true"), done],
    );
    const { events } = await agent.chat("Go");
    expect(events).toContainEqual(expect.objectContaining({ type: "tool.response", isError: true }));
  },
  "SkillToolsOptions.saveOutputs": async () => {
    const { agent } = await configuredAgent(
      () => ({ skillTools: { saveOutputs: true } }),
      [run("echo x > out/x.txt"), done],
    );
    expect((await agent.chat("Go")).artifacts.map(({ name }) => name)).toEqual(["out/x.txt"]);
  },
  "SkillToolsOptions.maxResultCharacters": async () => {
    const lines = "i=0; while [ $i -lt 3000 ]; do echo 0123456789; i=$((i+1)); done";
    const { agent } = await configuredAgent(
      () => ({ skillTools: { maxResultCharacters: 4096 } }),
      [run(lines), done],
    );
    const { events } = await agent.chat("Go");
    const [result] = events.filter((event) => event.type === "tool.response");
    expect(JSON.stringify(result?.output).length).toBeLessThanOrEqual(4096);
  },
  "LocalRuntimeOptions.root": async () => {
    const { agent, folder } = await configuredAgent(
      (own) => ({ sandbox: { root: join(own, "elsewhere") } }),
      [],
      {
        runtime: undefined,
      },
    );
    await agent.upload("a.txt", "a");
    expect((await readdir(join(folder, "elsewhere"))).some((name) => name.startsWith("ws_"))).toBe(true);
  },
  "LocalRuntimeOptions.isolation": async () => {
    const { said } = await configuredAgent(() => ({ sandbox: { isolation: "none" } }), [run("true"), done], {
      runtime: undefined,
    });
    expect(await said()).toContain("isolation.none");
  },
  "LocalRuntimeOptions.skillCopies": async () => {
    const { said } = await configuredAgent(
      () => ({ sandbox: { skillCopies: "workspace" } }),
      [run("touch written && echo $?"), run("ls"), done],
      { runtime: undefined },
    );
    expect(await said()).toContain("written");
  },
  "LocalRuntimeOptions.hostFolder": () =>
    refused({ sandbox: { hostFolder: { path: "relative" } } }, "not an absolute path"),
  "SkillLoadsOptions.life": async () => {
    const fields = () => ({ loads: { life: "session" }, skillTools: { requireLoad: true } });
    const { agent, said } = await configuredAgent(fields, [load("shout"), done, run("echo went"), done]);
    await agent.chat("Load");
    expect(await said("Run")).toContain("went\\n");
  },
  "SkillLoadsOptions.maxLoaded": async () => {
    const { agent } = await configuredAgent(
      () => ({ loads: { maxLoaded: 1 } }),
      [load("shout"), load("typed"), done],
    );
    const { diagnostics } = await agent.chat("Go");
    expect(JSON.stringify(diagnostics)).toContain("shout");
  },
  "SkillLoadsOptions.declared": async () => {
    const { said } = await configuredAgent(() => ({ loads: { declared: ["shout"] } }));
    expect(await said()).toContain("sh shout.sh");
  },
  "InjectorOptions.format": () => shows({ format: "markdown" }, /skills\/shout\/SKILL\.md/),
  "InjectorOptions.maxCharacters": () => shows({ maxCharacters: 1 }, /overview\.cut/),
  "InjectorOptions.maxSkills": () => shows({ maxSkills: 1 }, /overview\.cut/),
  "InjectorOptions.maxTokens": async () => {
    const { said } = await configuredAgent(() => ({ overview: { maxTokens: 1 } }), [done], {
      countTokens: (text) => text.length,
    });
    expect(await said()).toMatch(/overview\.cut/);
  },
  "InjectorOptions.metadata": () => shows({ metadata: ["team"] }, /team[\s\S]*blue/),
  "InjectorOptions.texts": () => shows({ texts: { heading: "Own heading" } }, /Own heading/),
  "InjectorOptions.loadedBodies": async () => {
    const { said } = await configuredAgent(() => ({ loads: { bodies: "system", declared: ["shout"] } }));
    expect(await said()).toMatch(/^\[\[\[\{"role":"system","content":"(?:[^"\\]|\\.)*sh shout\.sh/);
  },
};

/** Options that hold functions, stores or parts of the agent: fields of `dependencies`, or set by the agent itself. */
const IN_CODE: Readonly<Record<string, string>> = {
  "WorkspaceManagerOptions.skills": "skills",
  "WorkspaceManagerOptions.runtime": "runtime",
  "WorkspaceManagerOptions.artifacts": "artifacts",
  "WorkspaceManagerOptions.content": "content",
  "WorkspaceManagerOptions.environment": "environment",
  "WorkspaceManagerOptions.bootstrapCache": "workspaces",
  "WorkspaceManagerOptions.environments": "workspaces",
  "WorkspaceManagerOptions.onDiagnostic": "workspaces",
  "SkillToolsOptions.skills": "skills",
  "SkillToolsOptions.boundTools": "boundTools",
  "SkillToolsOptions.approval": "approval",
  "SkillToolsOptions.trust": "trust",
  "SkillToolsOptions.sharedTrust": "sharedTrust",
  "SkillToolsOptions.mustAsk": "mustAsk",
  "SkillToolsOptions.mustAskToWrite": "mustAskToWrite",
  "InjectorOptions.countTokens": "countTokens",
};

/** Options that the agent decides: from its session, its tools and its other parts. */
const OWN: readonly string[] = [
  "WorkspaceManagerOptions.clock",
  "WorkspaceManagerOptions.destroyOnClose",
  "SkillToolsOptions.workspaces",
  "SkillToolsOptions.enabled",
  "LocalRuntimeOptions.limits",
  "InjectorOptions.skillFile",
  "InjectorOptions.tools",
];

const DECLARED = [
  ...declaredOptions("workspace/src/workspace-manager-options.ts", "WorkspaceManagerOptions"),
  ...declaredOptions("tools/src/skill-tools-options.ts", "SkillToolsOptions"),
  ...declaredOptions("runtime-local/src/local-runtime-options.ts", "LocalRuntimeOptions"),
  ...declaredOptions("injector/src/injector-options.ts", "InjectorOptions"),
  ...declaredOptions("injector/src/loads/skill-loads.ts", "SkillLoadsOptions"),
];

describe("an option of the packages", () => {
  test("is set by the configuration file, given in code or decided by the agent", () => {
    expect([...Object.keys(SET), ...Object.keys(IN_CODE), ...OWN].sort()).toEqual([...DECLARED].sort());
  });

  test("that is given in code is a field of the dependencies", () => {
    const fields = declaredOptions("agent/src/agent/agent.ts", "AgentDependencies");
    expect(fields).toEqual(
      expect.arrayContaining(Object.values(IN_CODE).map((field) => `AgentDependencies.${field}`)),
    );
  });

  test.each(Object.entries(SET))(
    "%s has its effect when the configuration file sets it",
    async (_name, set) => {
      await set();
    },
  );
});

async function refused(fields: object, why: string): Promise<void> {
  await expect(configuredAgent(() => fields, [done], { runtime: undefined })).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringContaining(why),
  });
}

async function offers(skillTools: object, tool: string): Promise<void> {
  const plain = await configuredAgent(() => ({}));
  await plain.said();
  expect(plain.tools()).not.toContain(tool);
  const { said, tools } = await configuredAgent(() => ({ skillTools }));
  await said();
  expect(tools()).toContain(tool);
}

async function shows(overview: object, text: RegExp): Promise<void> {
  const plain = await configuredAgent(() => ({}));
  expect(await plain.said()).not.toMatch(text);
  const { said } = await configuredAgent(() => ({ overview }));
  expect(await said()).toMatch(text);
}
