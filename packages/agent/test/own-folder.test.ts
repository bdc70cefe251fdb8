import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApprovalRequest } from "@skillwright/core";
import { recordTrust } from "@skillwright/records";
import { memoryRecords, memoryRepository } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { removeTree } from "../../runtime-local/src/storage/remove-tree.js";
import { owned } from "../../runtime-local/test/owned.js";
import type { Agent, AgentDependencies } from "../src/agent/agent.js";
import type { SandboxConfig } from "../src/agent/agent-config.js";
import { createAgent } from "../src/agent/create-agent.js";
import { type ScriptedStep, scriptedModel } from "./scripted-model.js";
import { SHOUT } from "./test-agent.js";

function project(): { readonly base: string; readonly folder: string } {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "skillwright-own-")));
  onTestFinished(() => removeTree(base));
  chmodSync(base, 0o755);
  const folder = join(base, "project");
  mkdirSync(folder);
  writeFileSync(join(folder, "a.txt"), "before\n");
  owned(folder, join(folder, "a.txt"));
  return { base, folder };
}

async function agentIn(
  { base, folder }: { readonly base: string; readonly folder: string },
  steps: readonly ScriptedStep[],
  more: AgentDependencies & { readonly limits?: Partial<NonNullable<SandboxConfig["hostFolder"]>> } = {},
) {
  const { model, prompts } = scriptedModel(steps);
  const asked: ApprovalRequest[] = [];
  const { limits, ...dependencies } = more;
  const agent: Agent = await createAgent(
    {
      modelConfig: { provider: "test", model: "test" },
      sandbox: { hostFolder: { path: folder, ...limits } },
    },
    {
      models: () => model,
      runtime: ({ hostFolder }) => localRuntime({ root: join(base, "runtime"), hostFolder }),
      skills: skillBox({ test: memoryRepository({ skills: { shout: SHOUT } }) }),
      approval: async (request) => {
        asked.push(request);
        return { allowed: true };
      },
      ...dependencies,
    },
  );
  onTestFinished(() => agent.close());
  return { agent, asked, prompts };
}

const run = (command: string): ScriptedStep => ({ calls: [{ tool: "workspace_run", input: { command } }] });

if (hasAll("bubblewrap"))
  describe("an agent in a folder of the user", () => {
    test("changes it in a turn; diff shows the change, undo takes it back, and the model is told", async () => {
      const place = project();
      const { agent, prompts } = await agentIn(place, [
        run("echo after > work/project/a.txt"),
        { calls: [{ tool: "workspace_write", input: { path: "work/project/b.txt", content: "b" } }] },
        { text: "Done." },
      ]);
      await agent.chat("Change a.txt");
      expect(JSON.stringify(prompts[0]?.[0])).toContain("is at work/project");
      expect(await agent.hostFolder?.diff()).toEqual({
        changes: [
          { path: "a.txt", change: "changed", lines: ["-before", "+after"] },
          { path: "b.txt", change: "added", lines: ["+b"] },
        ],
      });
      await agent.hostFolder?.undo();
      expect(readdirSync(place.folder)).toEqual(["a.txt"]);
      expect(readFileSync(join(place.folder, "a.txt"), "utf8")).toBe("before\n");
      await agent.chat("And now?");
      expect(JSON.stringify(prompts.at(-1)?.at(-1))).toContain("The user undid changes in work/project");
    });

    test("keeps one snapshot for a turn, before its first change, and none for a turn without", async () => {
      const place = project();
      const { agent } = await agentIn(place, [
        run("echo 1 > work/project/a.txt"),
        run("echo 2 > work/project/a.txt"),
        { text: "Done." },
      ]);
      await agent.chat("Change it twice");
      await agent.chat("Just answer");
      expect((await agent.hostFolder?.undo())?.changes).toHaveLength(1);
      expect(readFileSync(join(place.folder, "a.txt"), "utf8")).toBe("before\n");
      expect(await agent.hostFolder?.undo()).toBeUndefined();
    });

    test("asks for the folder once, whatever the model runs and however often it starts", async () => {
      const place = project();
      const trust = recordTrust(memoryRecords());
      const first = await agentIn(place, [run("true"), run("true"), { text: "Done." }], { trust });
      await first.agent.chat("Go");
      await first.agent.close();
      const second = await agentIn(place, [{ text: "Done." }], { trust });
      expect([first.asked, second.asked]).toMatchObject([[{ action: "write", subject: place.folder }], []]);
    });

    test("is refused without an approval, with the remedy", async () => {
      const no = agentIn(project(), [], {
        approval: async () => ({ allowed: false, reason: "The user said no." }),
      });
      await expect(no).rejects.toMatchObject({
        code: "REFUSED",
        message: expect.stringContaining("said no"),
      });
      const nobody = agentIn(project(), [], { approval: undefined });
      await expect(nobody).rejects.toMatchObject({
        code: "REFUSED",
        message: expect.stringContaining("approval"),
      });
    });

    test("runs nothing in a folder that is too large for a snapshot, and says what to do; without undo it runs", async () => {
      const place = project();
      const steps = [run("echo after > work/project/a.txt"), { text: "It was refused." }];
      const refused = await agentIn(place, steps, { limits: { maxBytes: 3 } });
      const { events } = await refused.agent.chat("Change it");
      expect(JSON.stringify(events)).toContain("Give a smaller folder");
      expect(readFileSync(join(place.folder, "a.txt"), "utf8")).toBe("before\n");
      await refused.agent.close();
      const allowed = await agentIn(place, steps, { limits: { maxBytes: 3, undo: false } });
      await allowed.agent.chat("Change it");
      expect(readFileSync(join(place.folder, "a.txt"), "utf8")).toBe("after\n");
    });
  });

test("containers are refused for a folder of the user before an engine is asked, with the remedy", async () => {
  const { folder: path } = project();
  const creating = createAgent({
    modelConfig: { provider: "offline", model: "planner" },
    sandbox: { kind: "docker", hostFolder: { path } },
  });
  await expect(creating).rejects.toMatchObject({
    code: "UNSUPPORTED",
    message: expect.stringContaining("upload the files, or use the local runtime"),
  });
});

test("a runtime that cannot mount a folder of this machine is refused, with the remedy", async () => {
  const place = project();
  const runtime = () => Object.assign(localRuntime({ root: join(place.base, "r") }), { label: "docker" });
  const creating = agentIn(place, [], { runtime });
  await expect(creating).rejects.toMatchObject({
    code: "UNSUPPORTED",
    message: expect.stringContaining("Use the local runtime"),
  });
});
