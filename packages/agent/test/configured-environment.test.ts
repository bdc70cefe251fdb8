import { memoryRepository } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import type { SkillSettings } from "@skillwright/skillbox";
import { localHost, skillBox } from "@skillwright/skillbox";
import { workspaceManager } from "@skillwright/workspace";
import { expect, test } from "vitest";
import { configuredEnvironment } from "../src/skills/configured-environment.js";

const declaring = (name: string) => ({
  "SKILL.md": `---\nname: ${name}\ndescription: ${name}.\nmetadata: {"openclaw": {"primaryEnv": "SERVICE_KEY"}}\n---\n`,
});

/** Identifies the key, since a key itself is masked. */
const SHOW = 'case "$SERVICE_KEY" in key-a) echo "a|$REGION";; key-b) echo "b|$REGION";; *) echo none;; esac';

test("ENV-17: overlapping runs have each skill's own variables, and the host's environment is not changed", async () => {
  const settings = { skills: { a: { apiKey: "key-a" }, b: { apiKey: "key-b", env: { REGION: "eu" } } } };
  const before = JSON.stringify(process.env);
  await using parts = workspaces(settings);
  const both = await Promise.all(
    Array.from({ length: 8 }, async (_, at) => {
      const skill = at % 2 === 0 ? "a" : "b";
      const { id } = await parts.workspaces.create();
      const { stdout } = await parts.workspaces.run(id, {
        skill,
        command: `${SHOW}; sleep 0.0${at}; ${SHOW}`,
      });
      return `${skill} ${stdout.text.trim().replaceAll("\n", " ")}`;
    }),
  );
  expect(new Set(both)).toEqual(new Set(["a a| a|", "b b|eu b|eu"]));
  expect(JSON.stringify(process.env)).toBe(before);
});

test("a skill's key and values reach only its own runs", async () => {
  await using parts = workspaces({ skills: { a: { apiKey: "key-a", config: { team: "x" } } } });
  const { id } = await parts.workspaces.create();
  const run = async (skill?: string): Promise<string> => {
    const command = '[ "$SERVICE_KEY" = key-a ] && echo there; echo "$SKILL_CONFIG"';
    return (await parts.workspaces.run(id, { command, ...(skill && { skill }) })).stdout.text.trim();
  };
  expect(await run("a")).toBe('there\n{"team":"x"}');
  expect(await run("b")).toBe("");
  expect(await run()).toBe("");
});

function workspaces(settings: SkillSettings) {
  const skills = skillBox({ own: memoryRepository({ skills: { a: declaring("a"), b: declaring("b") } }) });
  const runtime = localRuntime({ isolation: "none" });
  const environment = configuredEnvironment(settings, localHost());
  const manager = workspaceManager({ skills, runtime, environment, destroyOnClose: true });
  return {
    workspaces: manager,
    [Symbol.asyncDispose]: async () => {
      await manager.close();
      await runtime.close();
    },
  };
}
