import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fsArtifacts, fsRegistry, fsSessions, fsTurns } from "@skillwright/repository-fs";
import { localRuntime } from "@skillwright/runtime-local";
import { expect, onTestFinished, test } from "vitest";
import { type ScriptedStep, scriptedModel } from "../../agent/test/scripted-model.js";
import { removeTree } from "../../runtime-local/src/storage/remove-tree.js";
import { allEvents, ask, newConversation, say, testServer } from "./test-server.js";

const command = (file: string) =>
  `echo ran >> "${file}.ran"; echo begun; until [ -e "${file}.go" ]; do sleep 0.02; done; echo text > "$OUTPUT_DIR/a.txt"; echo end`;

test("SERVE-28: a server that closes leaves its turn: the command goes on, and another server goes on with the stream", async () => {
  const { file, server } = await servers((file) => [
    { text: "I shall run it. ", calls: [{ tool: "skill_load", input: { skill: "shout" } }] },
    {
      calls: [
        {
          tool: "skill_run",
          input: {
            skill: "shout",
            command: command(file),
            output_files: ["out/**"],
            save_as_artifacts: true,
          },
        },
      ],
    },
    { text: "It is done." },
  ]);
  const first = server();
  const id = await newConversation(first);
  const reading = allEvents(await say(first, id, "Run it"));
  await untilRan(file);
  await first.close();
  const before = await reading;
  expect(before.at(-1)?.data).not.toBe("[DONE]");

  const second = server();
  await writeFile(`${file}.go`, "");
  const last = before.at(-1)?.id ?? 0;
  const continued = await ask(second, `/conversations/${id}/stream`, {
    headers: { "last-event-id": String(last) },
  });
  const after = await allEvents(continued);
  const whole = await allEvents(
    await ask(second, continued.headers.get("content-location")?.replace("/v1", "") ?? ""),
  );
  expect([...before, ...after]).toEqual(whole);
  expect(whole.map(({ id: offset }) => offset)).toEqual(
    [...whole.keys()].map((place) => (place < whole.length - 1 ? place : undefined)),
  );
  const types = whole.map(({ data }) => (data === "[DONE]" ? data : data["type"]));
  expect(types.filter((type) => type === "data-artifact")).toHaveLength(1);
  expect(types.filter((type) => type === "finish")).toHaveLength(1);
  expect(await readFile(`${file}.ran`, "utf8")).toBe("ran\n");
  const run = whole
    .flatMap(({ data }) => (data !== "[DONE]" && data["type"] === "data-run" ? [data["data"]] : []))
    .at(-1) as {
    readonly output: string;
    readonly state: string;
    readonly exitCode: number;
  };
  expect(run).toMatchObject({ state: "ended", exitCode: 0 });
  const output = await allEvents(await ask(second, run.output.replace("/v1", "")));
  const told = output.flatMap(({ data }) => (data === "[DONE]" ? [] : [data]));
  expect(told.flatMap(({ type, text }) => (type === "run.output" ? [text] : [])).join("")).toBe(
    "begun\nend\n",
  );
  expect(told.filter(({ type }) => type === "run.started")).toHaveLength(1);
  const history = (await (await ask(second, `/conversations/${id}/messages`)).json()) as {
    messages?: unknown[];
  };
  expect(JSON.stringify(history)).toContain("It is done.");
  const usage = (await (await ask(second, "/usage")).json()) as Record<string, unknown>;
  expect(usage).toMatchObject({ total: { turns: 1, steps: 3 } });
});

test("SERVE-28: another server makes no call again that was answered, so that later calls of the step keep what they did", async () => {
  const { file, server } = await servers((file) => [
    { calls: [{ tool: "skill_load", input: { skill: "shout" } }] },
    {
      calls: [
        { tool: "workspace_write", input: { path: "out/list.txt", content: "first\n" } },
        {
          tool: "skill_run",
          input: { skill: "shout", command: `echo second >> "$OUTPUT_DIR/list.txt"; ${command(file)}` },
        },
      ],
    },
    { text: "It is done." },
  ]);
  const first = server();
  const id = await newConversation(first);
  const reading = allEvents(await say(first, id, "Run it"));
  await untilRan(file);
  await first.close();
  await reading;
  const second = server();
  await writeFile(`${file}.go`, "");
  const events = await allEvents(await ask(second, `/conversations/${id}/stream`));
  expect(events.at(-1)?.data).toBe("[DONE]");
  const list = await ask(second, `/conversations/${id}/files/text?path=out/list.txt`);
  expect(await list.json()).toMatchObject({ text: "first\nsecond\n" });
});

/** Opens servers over the same stores, whose model says these steps, one after the other. */
async function servers(stepsFor: (file: string) => readonly ScriptedStep[]) {
  const root = await mkdtemp(join(tmpdir(), "skillwright-test-"));
  onTestFinished(() => removeTree(root));
  const file = join(root, "file");
  const steps = stepsFor(file);
  const server = () =>
    testServer({
      agents: { assistant: { modelConfig: { provider: "test", model: "test" } } },
      dependencies: {
        models: () =>
          scriptedModel(
            (_, { prompt }) => steps[prompt.filter(({ role }) => role === "assistant").length] ?? {},
          ).model,
      },
      app: "shared",
      sessions: fsSessions({ root: join(root, "sessions") }),
      artifacts: fsArtifacts({ root: join(root, "artifacts") }),
      registry: fsRegistry({ root: join(root, "registry") }),
      turns: fsTurns({ root: join(root, "turns") }),
      runtime: localRuntime({ root: join(root, "workspaces"), isolation: "none" }),
    });
  return { file, server };
}

/** Resolves when the command runs. */
async function untilRan(file: string): Promise<void> {
  await expect.poll(() => readFile(`${file}.ran`, "utf8").catch(() => "")).toBe("ran\n");
}
