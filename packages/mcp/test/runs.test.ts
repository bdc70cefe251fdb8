import type { ProgressCallback } from "@modelcontextprotocol/client";
import { describe, expect, test, vi } from "vitest";
import { exampleServer, jsonOf, REVISIONS } from "./example-host.js";

describe.each(REVISIONS)("with a client of revision %s", (revision) => {
  test("a run reports progress with the last line of its output (MCP-07)", async () => {
    const client = await (await exampleServer()).connect(revision);
    const told: Parameters<ProgressCallback>[0][] = [];
    await client.callTool(
      { name: "skill_run", arguments: { skill: "greeter", command: "sh scripts/greet.sh Ada" } },
      { onprogress: (progress) => told.push(progress) },
    );
    const messages = told.map(({ message }) => message);
    expect(messages).toEqual(
      expect.arrayContaining([
        "The workspace is ready.",
        "Staged the skill greeter: 3 files.",
        "Runs: sh scripts/greet.sh Ada",
        "done",
        "The command ended with 0.",
        "Collected out/greeting.txt.",
      ]),
    );
    expect(told.map(({ progress }) => progress)).toEqual(told.map((_, at) => at + 1));
  });

  test("a cancelled call ends the whole process tree, and the next one runs (MCP-08)", async () => {
    const client = await (await exampleServer()).connect(revision);
    const cancelling = new AbortController();
    const command =
      "(flock work/lock sleep 600) & while flock -n work/lock true; do :; done; echo started; wait";
    const cancelled = client.callTool(
      { name: "workspace_run", arguments: { command } },
      {
        signal: cancelling.signal,
        onprogress: ({ message }) => (message === "started" ? cancelling.abort() : undefined),
      },
    );
    await expect(cancelled).rejects.toThrow();
    // The lock becomes free when the process that holds it has ended.
    const look = "flock -n work/lock echo over";
    const next = await client.callTool({ name: "workspace_run", arguments: { command: look } });
    expect(jsonOf(next)).toMatchObject({ stdout: "over\n" });
  });
});

test("log messages of a run reach a client that wants them (MCP-07)", async () => {
  const client = await (await exampleServer()).connect("2025-11-25");
  const told: unknown[] = [];
  client.setNotificationHandler("notifications/message", ({ params }) => {
    told.push([params.level, params.logger, params.data]);
  });
  const run = { name: "workspace_run", arguments: { command: "echo x", outputs: { globs: ["out/none"] } } };
  await client.callTool(run);
  expect(told).toContainEqual(["info", "workspace_run", "Runs: echo x"]);
  expect(told).toContainEqual([
    "warning",
    "workspace_run",
    expect.objectContaining({ code: "glob.no-match" }),
  ]);
  await client.setLoggingLevel("error");
  told.length = 0;
  await client.callTool(run);
  expect(told).toEqual([]);
});

test("the client is told about a new skill, and the model gets its name (MCP-09)", async () => {
  const example = await exampleServer();
  const client = await example.connect("2025-11-25");
  const tools = vi.fn();
  const resources = vi.fn();
  client.setNotificationHandler("notifications/tools/list_changed", tools);
  client.setNotificationHandler("notifications/resources/list_changed", resources);
  const described = async () =>
    (await client.listTools()).tools.find(({ name }) => name === "skill_list")?.description;
  expect(await described()).toMatch(/ Now there are: greeter, stranger\.$/);
  const text = "---\nname: added\ndescription: Was added.\n---\nDo it.\n";
  await example.skills.upload("own", [{ path: "SKILL.md", content: text }]);
  await expect.poll(() => tools.mock.calls.length).toBeGreaterThan(0);
  expect(resources).toHaveBeenCalled();
  expect(await described()).toMatch(/ Now there are: added, greeter, stranger\.$/);
});
