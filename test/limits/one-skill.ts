import { expect } from "vitest";
import { memoryRepository } from "../../packages/repository-memory/src/index.js";
import { skillBox } from "../../packages/skillbox/src/index.js";
import { commandPolicy, skillProposals, skillTools } from "../../packages/tools/src/index.js";
import { caller, refusalOf, skillFile } from "../../packages/tools/test/example-skills.js";
import { fakeWorkspaces } from "./fake-workspaces.js";

type Files = Record<string, string>;

export function box(skills: Record<string, Files>) {
  return skillBox({ project: memoryRepository({ skills }) });
}

export async function listed(tool: string, input: object, count: number): Promise<readonly unknown[]> {
  const names = Array.from({ length: count }, (_, n) => `skill-${n}`);
  const skills = box(Object.fromEntries(names.map((name) => [name, { "SKILL.md": skillFile(name) }])));
  const answer = (await caller(skillTools({ skills, search: true }))(tool, input)).output;
  return (answer as { skills: unknown[] }).skills;
}

export function callOne(files: Files = {}, more: object = {}, preset: "load" | "read" = "load") {
  const skills = box({ one: { "SKILL.md": skillFile("one"), ...files } });
  const { workspaces } = fakeWorkspaces({ content: "x" });
  // Above every limit of a single tool, so that those limits are reached.
  const maxResultCharacters = 10_000_000;
  const options = { skills, preset, search: true, workspaces, interactive: true, maxResultCharacters };
  return caller(skillTools({ ...options, ...more }));
}

export async function output(tool: string, input: object, files?: Files, more: object = {}) {
  return (await callOne(files, more, presetOf(tool))(tool, input)).output as Record<string, unknown>;
}

export async function refused(tool: string, input: object, files?: Files) {
  return refusalOf(await callOne(files, {}, presetOf(tool))(tool, input));
}

/** A context in which the tool is available. */
function presetOf(tool: string): "load" | "read" {
  return tool === "skill_read" ? "read" : "load";
}

/** Expects that the field accepts the value, and that the next one is refused with the name of the field. */
export async function isMost(tool: string, field: string, value: number, input: object): Promise<void> {
  const call = callOne({}, {}, presetOf(tool));
  expect(JSON.stringify((await call(tool, { ...input, [field]: value })).output)).not.toContain(
    `"INPUT_INVALID"`,
  );
  const refusal = refusalOf(await call(tool, { ...input, [field]: value + 1 }));
  expect(refusal).toMatchObject({ code: "INPUT_INVALID", message: expect.stringContaining(field) });
}

export async function documents(files: Files): Promise<string> {
  return JSON.stringify(await output("skill_select_docs", { skill: "one", include_all_docs: true }, files));
}

export function update(path: string, content: string) {
  return { action: "update", repository: "project", name: "one", put: [{ path, content }] } as const;
}

export async function isMostProposed(
  path: string,
  value: number,
  content: (length: number) => string,
): Promise<void> {
  const proposals = skillProposals(box({ one: { "SKILL.md": skillFile("one") } }));
  await expect(proposals.propose(update(path, content(value)))).resolves.toBeDefined();
  await expect(proposals.propose(update(path, content(value + 1)))).rejects.toMatchObject({
    code: "LIMIT_EXCEEDED",
  });
}

export async function isAllowed(command: string): Promise<boolean> {
  return (await commandPolicy({ allowed: ["echo"] })({ command, cwd: "" })).allowed;
}

export function interactive(
  { workspaces }: Pick<ReturnType<typeof fakeWorkspaces>, "workspaces">,
  options: object | true = true,
) {
  return callOne({}, { workspaces, interactive: options });
}

export async function start(call: ReturnType<typeof callOne>) {
  return (await call("skill_start", { skill: "one", command: "cat" })).output as {
    run_id: string;
    output: string;
  };
}
