import { join } from "node:path";
import { fsRecords } from "@skillwright/repository-fs";
import { memoryRepository } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { agentServer } from "@skillwright/server";
import { skillBox } from "@skillwright/skillbox";
import { expect, test } from "vitest";
import { scriptedModel } from "../../../packages/agent/test/scripted-model.js";
import { SHOUT } from "../../../packages/agent/test/test-agent.js";
import { chat } from "../src/terminal/chat.js";
import { type TestTerminal, testTerminal } from "./test-terminal.js";

const COMMAND = "echo it ran";
const run = { calls: [{ tool: "skill_run", input: { skill: "shout", command: COMMAND } }] };

test("APPR-30: questions of a server that has ended are listed, shown and allowed by a command, and its turn goes on", async () => {
  const terminal = await testTerminal({});
  await asked(terminal);
  const [listed, id] = await question(terminal);
  expect(listed).toMatch(/run {2}shout {2}project, /);

  expect(await chatted(terminal, [`/approvals once ${id}`])).toContain(`Look at it first: /approvals ${id}`);
  const allowed = await chatted(terminal, [`/approvals ${id}`, `/approvals once ${id}`, "/approvals"]);
  expect(allowed).toMatch(/skill {4}shout[\s\S]*source {3}project[\s\S]*command\n[\s\S]*echo it ran/);
  expect(allowed).toContain("It was allowed once.");
  expect(allowed).toContain("No questions wait for your answer.");
  expect(await opened(terminal)).toContain("it ran\\n");
});

test("APPR-30: a refusal reaches the model with its reason, and what is always allowed is not asked again", async () => {
  const terminal = await testTerminal({});
  await asked(terminal, "first");
  const [, id] = await question(terminal);
  expect(await chatted(terminal, [`/approvals refuse ${id} Not on a Sunday.`])).toContain("It was refused.");
  expect(await opened(terminal, "first")).toContain("Not on a Sunday.");

  await asked(terminal, "second");
  const [, next] = await question(terminal);
  const always = await chatted(terminal, [`/approvals ${next}`, `/approvals always ${next}`]);
  expect(always).toContain("It was allowed until the skill changes.");
  expect(await asked(terminal, "third")).toContain("it ran\\n");
  expect(await chatted(terminal, ["/approvals 00000000"])).toContain(
    "No open question has an id that begins with",
  );
});

async function question(terminal: TestTerminal): Promise<readonly [listed: string, id: string]> {
  const listed = await chatted(terminal, ["/approvals"]);
  return [listed, / {2}([0-9a-f]{8}) {2}run {2}shout/.exec(listed)?.[1] ?? ""];
}

/** A conversation with a server of this person, which is closed afterwards; the events of its turn. */
async function asked(terminal: TestTerminal, id = "one"): Promise<string> {
  return await served(terminal, async (ask) => {
    await ask("/conversations", { id });
    const message = { parts: [{ type: "text", text: "Run it" }] };
    return await (await ask(`/conversations/${id}/turns`, { message })).text();
  });
}

/** What a client gets when it opens the conversation. */
async function opened(terminal: TestTerminal, id = "one"): Promise<string> {
  return await served(terminal, async (ask) => await (await ask(`/conversations/${id}/stream`)).text());
}

type Ask = (path: string, json?: object) => Promise<Response>;

async function served<T>({ folder }: TestTerminal, use: (ask: Ask) => Promise<T>): Promise<T> {
  const root = (name: string) => ({ root: join(folder, "home", ".skillwright", name) });
  const skills = skillBox({
    project: { repository: memoryRepository({ skills: { shout: SHOUT } }), trusted: false },
  });
  const runtime = localRuntime({ root: join(folder, "workspaces"), isolation: "auto" });
  const steps = [run, { text: "It is done." }];
  const server = agentServer({
    agents: { assistant: { modelConfig: { provider: "test", model: "test" } } },
    dependencies: {
      models: () =>
        scriptedModel(
          (_, { prompt }) => steps[prompt.filter(({ role }) => role === "assistant").length] ?? { text: "." },
        ).model,
    },
    ...{
      skills,
      runtime,
      records: fsRecords(root("records")),
    },
  });
  try {
    return await use(async (path, json) =>
      server.fetch(
        new Request(`http://localhost/v1${path}`, {
          method: json ? "POST" : "GET",
          headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
          ...(json && { body: JSON.stringify(json) }),
        }),
      ),
    );
  } finally {
    await server.close();
    await runtime.close();
    await skills.close();
  }
}

/** What a new agent of the same user shows for these lines. */
async function chatted({ folder }: TestTerminal, lines: readonly string[]): Promise<string> {
  const terminal = await testTerminal({}, { folder });
  const app = await terminal.open(["--chat", "--isolation", "none"]);
  terminal.type(`${lines.join("\n")}\n/quit\n`);
  await chat(terminal.screen, app, terminal.input);
  await app.close();
  return terminal.shown();
}
