import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { memoryRecords } from "@skillwright/repository-memory";
import { expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { openaiServer } from "../../agent/test/openai-server.js";
import type { RunData } from "../src/turns/data-parts.js";
import { allEvents, ask, newConversation, say, scripted, testServer } from "./test-server.js";

const modelConfig = { provider: "test", model: "test" };
const run = (command: string) => ({ calls: [{ tool: "workspace_run", input: { command } }] });

async function turn(server: ReturnType<typeof testServer>, id: string, text: string) {
  const events = await allEvents(await say(server, id, text));
  return events.flatMap(({ data }) => (data === "[DONE]" ? [] : [data]));
}

function outputPath(events: readonly Record<string, unknown>[]): string {
  const last = events.findLast(({ type }) => type === "data-run");
  const { output = "" } = (last?.["data"] ?? {}) as { output?: string };
  return output.replace("/v1", "");
}

async function printed(server: ReturnType<typeof testServer>, path: string) {
  const events = await allEvents(await ask(server, path));
  const data = events.flatMap((event) => (event.data === "[DONE]" ? [] : [event.data]));
  return {
    text: data.map(({ type, text }) => (type === "run.output" ? text : "")).join(""),
    dropped: data.filter(({ type }) => type === "run.output-dropped"),
  };
}

test("SERVE-65: the output of a command stays readable after later turns, until its conversation is deleted", async () => {
  const { agents, dependencies } = scripted([
    run("echo the first; echo problems >&2"),
    { text: "It ran." },
    run("echo the second"),
    { text: "Once more." },
  ]);
  const server = testServer({ agents, dependencies });
  const id = await newConversation(server);
  const first = outputPath(await turn(server, id, "Run it"));
  const second = outputPath(await turn(server, id, "Run the other"));
  expect((await printed(server, first)).text.split("\n").sort()).toEqual(["", "problems", "the first"]);
  expect((await printed(server, second)).text).toBe("the second\n");
  expect((await ask(server, first.replace(/\/runs\/.*/, "/stream"))).status).toBe(404);
  expect((await ask(server, `${first}x`)).status).toBe(404);
  expect((await ask(server, `/conversations/${id}`, { method: "DELETE" })).status).toBe(204);
  await ask(server, "/conversations", { json: { id } });
  expect((await ask(server, first)).status).toBe(404);
});

test("SERVE-102: calls of a turn to which the model gave the same id keep their own runs, outputs and results", async () => {
  const call = (command: string) => ({
    calls: [{ id: "call_0", name: "workspace_run", arguments: JSON.stringify({ command }) }],
  });
  const model = await openaiServer([call("echo one; exit 3"), call("echo two"), { text: "Both ran." }]);
  const modelConfig = { provider: "openai", model: "m", apiKey: "k", baseURL: model.baseURL };
  const server = testServer({ agents: { assistant: { modelConfig } } });
  const id = await newConversation(server);
  const events = await turn(server, id, "Run both");
  const messages = (await (await ask(server, `/conversations/${id}/messages`)).json()) as {
    parts: Record<string, unknown>[];
  }[];
  const parts = messages.at(-1)?.parts ?? [];
  const results = parts.filter(({ type }) => type === "dynamic-tool").map(({ output }) => output);
  expect(results).toMatchObject([
    { stdout: "one\n", exit_code: 3 },
    { stdout: "two\n", exit_code: 0 },
  ]);
  const runs = parts.flatMap(({ type, data }) => (type === "data-run" ? [data as RunData] : []));
  expect(runs).toMatchObject([
    { state: "ended", exitCode: 3 },
    { state: "ended", exitCode: 0 },
  ]);
  const outputs = await Promise.all(runs.map(({ output }) => printed(server, output.replace("/v1", ""))));
  expect(outputs.map(({ text }) => text)).toEqual(["one\n", "two\n"]);
  const begun = events.flatMap(({ type, data }) => (type === "data-run" ? [data as RunData] : []));
  expect(begun.filter(({ state, exitCode }) => state !== "ended" && exitCode !== undefined)).toEqual([]);
});

if (hasAll("bubblewrap", "supervisor"))
  test("SERVE-66: a store that is slower than a command of 20 MB has all of its output at last, and little waits in memory", async () => {
    const records = memoryRecords();
    let mostWaiting = 0;
    const { dependencies } = scripted([run("seq 3000000 | head -c 20000000"), { text: "Done." }]);
    const eventLimits = { bytes: 64 * 1024 * 1024, bytesPerSecond: 64 * 1024 * 1024 };
    const server = testServer({
      ...{ app: `test-${randomUUID()}`, agents: { assistant: { modelConfig, eventLimits } }, dependencies },
      records: {
        ...records,
        append: async (key, entry, options) => {
          mostWaiting = Math.max(mostWaiting, JSON.stringify(entry.entries).length);
          await setTimeout(5);
          return await records.append(key, entry, options);
        },
      },
    });
    const id = await newConversation(server);
    const path = outputPath(await turn(server, id, "Print"));
    const { text, dropped } = await printed(server, path);
    expect(dropped).toEqual([]);
    expect(text.length).toBe(20_000_000);
    const last = text.lastIndexOf("\n", text.length - 1);
    const lines = text.slice(0, last).split("\n");
    expect(lines.every((line, index) => line === String(index + 1))).toBe(true);
    expect(mostWaiting).toBeLessThan(2_000_000);
  });
