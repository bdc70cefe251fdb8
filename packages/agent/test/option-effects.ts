import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keep, policy, type WorkspacePolicy } from "@skillwright/workspace";
import { expect } from "vitest";
import { owned } from "../../runtime-local/test/owned.js";
import type { AgentDependencies } from "../src/agent/agent.js";
import type { AgentEvent } from "../src/agent/agent-event.js";
import { configuredAgent } from "./configured-agent.js";
import type { ScriptedStep } from "./scripted-model.js";

export const run = (command: string, more: object = {}): ScriptedStep => ({
  calls: [{ tool: "skill_run", input: { skill: "shout", command, ...more } }],
});
export const load = (skill: string): ScriptedStep => ({ calls: [{ tool: "skill_load", input: { skill } }] });
export const done: ScriptedStep = { text: "Done." };

/** Prints what identifies the network that a command is in, where the system tells. */
export const NETWORK = "readlink /proc/self/ns/net || echo one network";

/** Reads the uploaded file a.txt and keeps the workspace. */
export function readingPolicy(): WorkspacePolicy {
  return policy({
    when: async (workspace) => {
      for await (const piece of await workspace.download("work/inputs/a.txt")) if (!piece) return true;
      return false;
    },
    do: keep(),
  });
}

/** The outputs of all calls of a turn. */
export async function resulted(
  fields: (folder: string) => object,
  steps: readonly ScriptedStep[],
  dependencies: AgentDependencies = {},
): Promise<string> {
  const { agent } = await configuredAgent(fields, steps, dependencies);
  const { events } = await agent.chat("Go");
  return JSON.stringify(events.filter(isResponse).map(({ output }) => output));
}

export function isResponse(event: AgentEvent): event is Extract<AgentEvent, { type: "tool.response" }> {
  return event.type === "tool.response";
}

/** A folder that may be given to commands. */
export function projectIn(base: string): string {
  const folder = join(realpathSync(base), "project");
  mkdirSync(folder);
  writeFileSync(join(folder, "mine.txt"), "of the user");
  owned(folder, join(folder, "mine.txt"));
  return folder;
}

export async function refused(fields: object, why: string): Promise<void> {
  await expect(configuredAgent(() => fields, [done], { runtime: undefined })).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringContaining(why),
  });
}

export async function offers(skillTools: object, tool: string): Promise<void> {
  const plain = await configuredAgent(() => ({}));
  await plain.said();
  expect(plain.tools()).not.toContain(tool);
  const { said, tools } = await configuredAgent(() => ({ skillTools }));
  await said();
  expect(tools()).toContain(tool);
}

export async function shows(overview: object, text: RegExp): Promise<void> {
  const plain = await configuredAgent(() => ({}));
  expect(await plain.said()).not.toMatch(text);
  const { said } = await configuredAgent(() => ({ overview }));
  expect(await said()).toMatch(text);
}
