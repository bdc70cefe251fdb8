import { SkillError } from "@skillwright/core";
import { fsRecords } from "@skillwright/repository-fs";
import { describe, expect, test } from "vitest";
import type { AgentServerOptions } from "../src/index.js";
import { ask, keptLog, newConversation, say, testServer } from "./test-server.js";

/** A folder with a name that no file system accepts, so that every call of a store in it fails. */
const root = `/${"the store ".repeat(30)}`;

/** Creates a server with these options. `told` returns the texts of all errors in the log of the server. */
function heard(options: Partial<AgentServerOptions>) {
  const { log, entries } = keptLog();
  const told = () => entries("error").map(({ fields }) => String(fields["err"]));
  return { server: testServer({ ...options, log }), told };
}

describe("SERVE-80: an answer names no place on the server's disk, and the log gets the whole message", () => {
  test.each([
    ["conversations", "GET", "/conversations"],
    ["a conversation that is written", "POST", "/conversations"],
    ["readiness", "GET", "/ready"],
  ] as const)("%s", async (_, method, path) => {
    const { server, told } = heard({ records: fsRecords({ root }) });
    const answer = await ask(server, path, method === "POST" ? { json: {} } : {});
    expect(answer.status).toBe(503);
    const text = await answer.text();
    expect(text).not.toMatch(/the store|ENAMETOOLONG/);
    expect(JSON.parse(text)).toMatchObject({ code: "BACKEND_FAILED", requestId: expect.any(String) });
    expect(told().join()).toContain(root);
  });

  test.each([
    "Reading failed: ENOENT: no such file or directory, open '/var/lib/my app/x.json'",
    "Reading a session (/srv/data) failed.",
    "Stored at file:///srv/data.",
    "Cannot open C:\\data\\sessions.",
    "Cannot open \\\\host\\share.",
    'The folder "~/.skillwright" is full.',
  ])("%s", async (message) => {
    for (const code of [
      "BACKEND_FAILED",
      "CONFIG_INVALID",
      "ISOLATION_UNAVAILABLE",
      "WORKSPACE_DAMAGED",
    ] as const) {
      const { server, told } = heard({ authenticate: () => Promise.reject(new SkillError(code, message)) });
      const problem = (await (await ask(server, "/agents")).json()) as Record<string, string>;
      expect(problem).toMatchObject({ code, requestId: expect.any(String) });
      expect(problem["detail"]).toMatch(/requestId/);
      expect(told()).toEqual([expect.stringContaining(message)]);
    }
  });

  test("the text of a turn that failed", async () => {
    const error = new SkillError("BACKEND_FAILED", "Cannot read '/srv/secret place/profile.md'.");
    const { server, told } = heard({ dependencies: { models: () => Promise.reject(error) } });
    const text = await (await say(server, await newConversation(server), "Hello")).text();
    expect(text).toContain('"type":"error"');
    expect(text).not.toMatch(/srv|secret place/);
    expect(told().join()).toContain("/srv/secret place");
  });
});

test.each([
  ["BACKEND_FAILED", "The keys cannot be had from https://login.example/keys. Try again and/or later."],
  ["ISOLATION_UNAVAILABLE", "There is no sandbox. Install bubblewrap 1.0/2.0, or set isolation: none."],
  ["PATH_OUTSIDE", 'The path "/etc/passwd" is absolute. Give a path below the folder.'],
] as const)("a text without a place of the server stays as it is: %s", async (code, message) => {
  const { server } = heard({ authenticate: () => Promise.reject(new SkillError(code, message)) });
  expect(await (await ask(server, "/agents")).json()).toMatchObject({ code, detail: message });
});
