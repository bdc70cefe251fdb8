import { describe, expect, test } from "vitest";
import { type Answer, exampleServer, jsonOf, REVISIONS, refusalOf } from "./example-host.js";

const RUN = { name: "skill_run", arguments: { skill: "stranger", command: "sh go.sh" } };

describe.each(REVISIONS)("with a client of revision %s", (revision) => {
  test("an untrusted skill runs once the person has allowed it, and is not asked about again (MCP-04)", async () => {
    const asked: string[] = [];
    const answer: Answer = (message, choices) => {
      asked.push(message);
      expect(choices).toEqual(["Allow once", "Allow this version of it until the session ends", "Refuse"]);
      return { action: "accept", content: { answer: choices[1] ?? "" } };
    };
    const client = await (await exampleServer()).connect(revision, answer);
    expect(jsonOf(await client.callTool(RUN))).toMatchObject({ exit_code: 0 });
    expect(jsonOf(await client.callTool(RUN))).toMatchObject({ exit_code: 0 });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('The skill "stranger" comes from "project", which is not trusted');
    expect(asked[0]).toMatch(
      /Run this command\?\nsh go\.sh\n\nSkill: stranger\nSource: project\nDigest: sha256:/,
    );
  });

  test("an answer for one call counts for that call only", async () => {
    let asked = 0;
    const answer: Answer = (_message, choices) => {
      asked += 1;
      return { action: "accept", content: { answer: choices[0] ?? "" } };
    };
    const client = await (await exampleServer()).connect(revision, answer);
    await client.callTool(RUN);
    await client.callTool(RUN);
    expect(asked).toBe(2);
  });

  test.each([
    ["declines", { action: "decline" }],
    ["declines, with an answer that allows,", { action: "decline", content: { answer: "Allow once" } }],
    ["cancels", { action: "cancel" }],
    ["refuses", { action: "accept", content: { answer: "Refuse" } }],
    ["answers something else", { action: "accept", content: { answer: "source" } }],
    ["answers nothing", { action: "accept", content: {} }],
  ] as const)("nothing runs where the person %s (MCP-05)", async (_how, result) => {
    const example = await exampleServer();
    const client = await example.connect(revision, () => result);
    const answer = await client.callTool(RUN);
    expect(answer.isError).toBe(true);
    expect(JSON.stringify(answer.content)).not.toContain("exit_code");
    expect(await example.workspaces.list()).toEqual([]);
  });

  test("a host that cannot ask gets a refusal that says what a person can do (MCP-05)", async () => {
    const example = await exampleServer({ approvalRemedy: "Name its folder." });
    const client = await example.connect(revision);
    // More than the number of questions that may be open at a time.
    for (let call = 0; call < 101; call++) {
      const refusal = refusalOf(await client.callTool(RUN));
      expect(refusal.code).toBe("REFUSED");
      expect(refusal.message).toContain(
        "This host cannot ask a person, so nothing was done. Name its folder.",
      );
    }
    expect(await example.workspaces.list()).toEqual([]);
  });

  test("an approval of one client does not count for another", async () => {
    const example = await exampleServer();
    const allowing = await example.connect(revision, (_message, choices) => ({
      action: "accept",
      content: { answer: choices[1] ?? "" },
    }));
    expect(jsonOf(await allowing.callTool(RUN))).toMatchObject({ exit_code: 0 });
    const other = await example.connect(revision);
    expect(refusalOf(await other.callTool(RUN)).code).toBe("REFUSED");
  });
});

test("a question that is never answered ends after its time, and the client goes on meanwhile (MCP-06)", async () => {
  const example = await exampleServer({ approvalTimeoutMs: 1 });
  const client = await example.connect("2025-11-25", () => new Promise(() => undefined));
  const waiting = client.callTool(RUN);
  expect(jsonOf(await client.callTool({ name: "skill_list", arguments: {} }))["skills"]).toHaveLength(2);
  expect((await waiting).isError).toBe(true);
  const other = { name: "workspace_run", arguments: { command: "echo still here" } };
  expect(jsonOf(await client.callTool(other))).toMatchObject({ stdout: "still here\n" });
});
