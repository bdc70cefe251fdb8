import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { expect, test } from "vitest";
import { exampleServer } from "./example-host.js";

const HIDDEN = ["\u200b", "\u{e0041}", "\u001b"];

test("the model does not get the name of a skill that only people may start (MCP-17)", async () => {
  const text = (name: string, more = "") =>
    `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\nDo it.\n`;
  const skills = skillBox({
    own: memoryRepository({
      skills: {
        open: { "SKILL.md": text("open") },
        manual: { "SKILL.md": text("manual", "disable-model-invocation: true\n") },
      },
    }),
  });
  const client = await (await exampleServer({ skills })).connect();
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === "skill_list")?.description).toMatch(/ Now there are: open\.$/);
  expect(client.getInstructions()).not.toContain("manual");
});

test("invisible characters are escaped in lists, questions and progress (MCP-17)", async () => {
  const odd = {
    "SKILL.md": `---\nname: odd\ndescription: "Does odd.${"\\u200b\\U000e0041\\u001b[2J"}"\n---\nDo it.\n`,
  };
  const project = memoryRepository({ skills: { odd } });
  const skills = skillBox({ project: { repository: project, trusted: false } });
  const asked: string[] = [];
  const client = await (await exampleServer({ skills })).connect("2026-07-28", (message) => {
    asked.push(message);
    return { action: "decline" };
  });
  const shown = [
    client.getInstructions(),
    JSON.stringify(await client.listTools()),
    JSON.stringify(await client.listResources()),
  ];
  const told: unknown[] = [];
  await client.callTool({
    name: "skill_run",
    arguments: { skill: "odd", command: `echo '${HIDDEN.join("")}'` },
  });
  await client.callTool(
    { name: "workspace_run", arguments: { command: `echo '${HIDDEN.join("")}x'` } },
    { onprogress: ({ message }) => told.push(message) },
  );
  expect(asked).toHaveLength(1);
  expect(told.length).toBeGreaterThan(2);
  for (const text of [...shown, ...asked, ...told])
    for (const one of HIDDEN) expect(text ?? "").not.toContain(one);
});
