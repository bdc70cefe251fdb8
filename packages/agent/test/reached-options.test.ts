import { execFileSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Diagnostic } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { keep, policy } from "@skillwright/workspace";
import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { configuredAgent } from "./configured-agent.js";
import { declaredOptions } from "./declared-options.js";
import {
  done,
  isResponse,
  load,
  NETWORK,
  offers,
  projectIn,
  readingPolicy,
  refused,
  resulted,
  run,
  shows,
} from "./option-effects.js";
import type { ScriptedStep } from "./scripted-model.js";
import { SHOUT } from "./test-agent.js";

/** Without a sandbox, commands do not see a folder of the user. */
const hasSandbox = hasAll("bubblewrap");

/** Sets the option in the configuration file and observes what it does. */
const SET: Readonly<Record<string, () => Promise<void>>> = {
  "WorkspaceManagerOptions.registry": async () => {
    const { agent, folder } = await configuredAgent((own) => ({
      workspaces: { registry: join(own, "records") },
    }));
    await agent.upload("a.txt", "a");
    expect(await readdir(join(folder, "records"))).not.toEqual([]);
  },
  "WorkspaceManagerOptions.policies": async () => {
    const policies = [{ when: { moreThan: 0 }, do: "destroy" }];
    const { agent, workspaces } = await configuredAgent(() => ({
      workspaces: { policies, policyInterval: "100ms" },
    }));
    await agent.upload("a.txt", "a");
    await expect.poll(workspaces).toEqual([]);
  },
  "WorkspaceManagerOptions.policyInterval": async () => {
    let looks = 0;
    const counting = policy({ when: async () => ++looks === 0, do: keep() });
    const { agent } = await configuredAgent(() => ({ workspaces: { policyInterval: "100ms" } }), [], {
      workspaces: { policies: [counting] },
    });
    await agent.upload("a.txt", "a");
    await expect.poll(() => looks).toBeGreaterThan(5);
  },
  "WorkspaceManagerOptions.policyLimits": async () => {
    const told: Diagnostic[] = [];
    const { agent } = await configuredAgent(
      () => ({ workspaces: { policyInterval: "100ms", policyLimits: { bytes: 3 } } }),
      [],
      { workspaces: { policies: [readingPolicy()], onDiagnostic: (one) => told.push(one) } },
    );
    await agent.upload("a.txt", "abcd");
    await expect
      .poll(() => told.map(({ message }) => message))
      .toContainEqual(expect.stringContaining("More than 3 bytes were read by one operation of a policy"));
  },
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
    const bootstrap = [{ name: "net", commands: [`(${NETWORK}) > work/net.txt`], network: true }];
    await refused({ workspaces: { bootstrap } }, "network");
    const fields = () => ({ workspaces: { bootstrap, allowNetwork: true } });
    const own = execFileSync("sh", ["-c", NETWORK], { encoding: "utf8" }).trim();
    expect(await resulted(fields, [run("cat work/net.txt"), done])).toContain(own);
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
  "WorkspaceManagerOptions.environments": async () => {
    const locked = { ...SHOUT, "requirements.txt": `six==1.16.0 --hash=sha256:${"0".repeat(64)}\n` };
    const skills = () => skillBox({ test: memoryRepository({ skills: { shout: locked } }) });
    const said = (workspaces: object) =>
      resulted(() => ({ workspaces }), [run("echo ran"), done], { skills: skills() });
    expect(await said({})).toContain("ran\\n");
    expect(await said({ environments: "none" })).toContain("ran\\n");
    for (const environments of ["auto", { root: "/nowhere", maxBytes: 1 }])
      expect(await said({ environments })).toContain("needs a package not yet installed");
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
    const steps = [run("cat SKILL.md"), done];
    expect(await resulted(() => ({}), steps)).not.toContain("REFUSED");
    const fields = () => ({ skillTools: { commands: { denied: ["cat"] } } });
    expect(await resulted(fields, steps)).toContain("REFUSED");
  },
  "SkillToolsOptions.requireLoad": async () => {
    const fields = () => ({ skillTools: { requireLoad: true } });
    expect(await resulted(() => ({}), [run("echo went"), done])).toContain("went");
    expect(await resulted(fields, [run("echo went"), done])).not.toContain("went");
    expect(await resulted(fields, [load("shout"), run("echo went"), done])).toContain("went");
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
    const text = JSON.stringify(result?.output);
    expect(text).toContain("0123456789");
    expect(text.length).toBeLessThanOrEqual(4096);
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
    const steps = [run("touch written"), run("ls"), done];
    const fields = () => ({ sandbox: { skillCopies: "workspace" } });
    expect(await resulted(fields, steps, { runtime: undefined })).toContain("written");
  },
  "LocalRuntimeOptions.hostFolder": async () => {
    const { agent, folder } = await configuredAgent(
      (own) => ({ sandbox: { hostFolder: { path: projectIn(own) } } }),
      [run("cat work/project/mine.txt"), done],
      { runtime: undefined, approval: async () => ({ allowed: true }) },
    );
    expect(agent.hostFolder?.path).toBe(realpathSync(join(folder, "project")));
    const { events } = await agent.chat("Go");
    if (hasSandbox) expect(JSON.stringify(events.filter(isResponse))).toContain("of the user");
  },
  "SkillLoadsOptions.life": async () => {
    const fields = () => ({ loads: { life: "session" }, skillTools: { requireLoad: true } });
    const { agent, said } = await configuredAgent(fields, [load("shout"), done, run("echo went"), done]);
    await agent.chat("Load");
    expect(await said("Run")).toContain("went\\n");
  },
  "SkillLoadsOptions.maxLoaded": async () => {
    const steps = [load("shout"), load("typed"), run("echo went"), done];
    const skillTools = { requireLoad: true };
    expect(await resulted(() => ({ skillTools }), steps)).toContain("went");
    expect(await resulted(() => ({ skillTools, loads: { maxLoaded: 1 } }), steps)).not.toContain("went");
  },
  "SkillLoadsOptions.declared": async () => {
    const plain = await configuredAgent(() => ({}));
    expect(await plain.said()).not.toContain("sh shout.sh");
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
  "WorkspaceManagerOptions.onDiagnostic": "workspaces",
  "LocalRuntimeOptions.namespace": "runtime",
  "SkillToolsOptions.skills": "skills",
  "SkillToolsOptions.boundTools": "boundTools",
  "SkillToolsOptions.approval": "approval",
  "SkillToolsOptions.approvals": "approvals",
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
  "LocalRuntimeOptions.leaseMs",
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
