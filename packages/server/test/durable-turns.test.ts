import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { command, commandServers } from "./command-servers.js";
import { allEvents, ask } from "./test-server.js";

test("SERVE-28: a server that closes leaves its turn: the command goes on, and another server goes on with the stream", async () => {
  const { file, server, begin, go } = await commandServers((file) => [
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
  const { id, reading } = await begin(first);
  await first.close();
  const before = await reading;
  expect(before.at(-1)?.data).not.toBe("[DONE]");

  const second = server();
  await go();
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

test("SERVE-28: the next server repeats no call that was answered, and so undoes nothing that later calls of the step did", async () => {
  const { server, begin, go } = await commandServers((file) => [
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
  const { id, reading } = await begin(first);
  await first.close();
  await reading;
  const second = server();
  await go();
  const events = await allEvents(await ask(second, `/conversations/${id}/stream`));
  expect(events.at(-1)?.data).toBe("[DONE]");
  const list = await ask(second, `/conversations/${id}/files/text?path=out/list.txt`);
  expect(await list.json()).toMatchObject({ text: "first\nsecond\n" });
});
