import { type RecordStore, SkillError } from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import { memoryArtifacts, memoryRecords, memoryRepository } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { type StoredApprovals, storedApprovals } from "@skillwright/tools";
import { describe, expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../agent/test/scripted-model.js";
import { SHOUT } from "../../agent/test/test-agent.js";
import type { AgentServer, ApprovalData } from "../src/index.js";
import { signalled } from "./signalled.js";
import { allEvents, ask, newConversation, say, testServer } from "./test-server.js";

const CALL = {
  tool: "skill_run",
  input: { skill: "shout", command: 'echo ran; echo ran >> "$WORK_DIR/count"' },
};

/** Servers that share everything, and an untrusted skill that the model calls in its first step. */
function shared(approvalsIn = (records: RecordStore) => storedApprovals({ records })) {
  const stores = { records: memoryRecords(), artifacts: memoryArtifacts() };
  const repository = memoryRepository({ skills: { shout: SHOUT } });
  const runtime = localRuntime({ isolation: "auto" });
  onTestFinished(() => runtime.close());
  const steps = [{ calls: [CALL] }, { text: "It is done." }];
  const server = () =>
    testServer({
      ...stores,
      ...{ app: "shared", runtime, skills: skillBox({ project: { repository, trusted: false } }) },
      agents: { assistant: { modelConfig: { provider: "test", model: "test" } } },
      dependencies: {
        approvals: approvalsIn(stores.records),
        models: () =>
          scriptedModel(
            (_, { prompt }) =>
              steps[prompt.filter(({ role }) => role === "assistant").length] ?? { text: "." },
          ).model,
      },
    });
  return { server, repository, records: stores.records };
}

/** A conversation whose turn waits for an approval, asked by a server that has been closed. */
async function waiting(approvalsIn?: (records: RecordStore) => StoredApprovals) {
  const { server, repository, records } = shared(approvalsIn);
  const first = server();
  const id = await newConversation(first);
  const events = await allEvents(await say(first, id, "Run it"));
  await first.close();
  const second = server();
  const [open] = (await (await ask(second, `/conversations/${id}/approvals`)).json()) as ApprovalData[];
  if (!open) throw new Error("There is no question.");
  return { id, events, second, open, repository, records };
}

/** Stored approvals. The first answer waits, and fails when the test calls `fail`. */
function failingAnswer() {
  const [begun, begin] = signalled();
  const [answered, answer] = signalled();
  const [failing, fail] = signalled();
  let answers = 0;
  const approvals = (records: RecordStore) => {
    const stored = storedApprovals({ records });
    return delegate(stored, {
      decide: async (...given) => {
        if (++answers > 1) {
          const decided = await stored.decide(...given);
          answer();
          return decided;
        }
        begin();
        await failing;
        throw new SkillError("CONFLICT", "Another process changed the record.");
      },
    });
  };
  return { approvals, begun, answered, fail };
}

const decide = (server: AgentServer, { decide: path }: ApprovalData, json: object, user = "ada") =>
  ask(server, path.replace("/v1", ""), { json, user });

const outputs = async (server: AgentServer, conversation: string, turn: string) =>
  (await allEvents(await ask(server, `/conversations/${conversation}/turns/${turn}/stream`))).flatMap(
    ({ data }) =>
      data !== "[DONE]" && String(data["type"]).startsWith("tool-output") ? [JSON.stringify(data)] : [],
  );

describe("a turn that waits for an approval", () => {
  test("APPR-14: has ended, and its question is a part of the message with all that a person needs", async () => {
    const { id, events, open, second } = await waiting();
    const asked = events.flatMap(({ data }) =>
      data !== "[DONE]" && data["type"] === "data-approval" ? [data["data"]] : [],
    );
    expect(asked).toEqual([open]);
    expect(open).toMatchObject({
      ...{ conversation: id, action: "run", skill: "shout", source: "project", choices: ["once", "digest"] },
      ...{
        subject: CALL.input.command,
        digest: expect.stringMatching(/./),
        reason: expect.stringContaining("not trusted"),
      },
    });
    expect(events.at(-2)?.data).toMatchObject({ type: "finish", finishReason: "other" });
    expect((await ask(second, `/conversations/${id}/stream`)).status).toBe(204);
    expect(await (await ask(second, "/approvals")).json()).toEqual([open]);
  });

  test("APPR-15: goes on in another process when its last question is answered there, and the command runs once", async () => {
    const { id, second, open } = await waiting();
    const answer = await decide(second, open, { answer: { allow: "once" }, digest: open.digest });
    const { turn, approval } = (await answer.json()) as { turn: string; approval: ApprovalData };
    expect([answer.status, approval.answer]).toEqual([200, { allow: "once" }]);
    expect(await outputs(second, id, turn)).toEqual([expect.stringContaining("ran\\n")]);
    const messages = await (await ask(second, `/conversations/${id}/messages`)).text();
    expect(messages).toContain("It is done.");
    expect(messages).toContain('"answer":{"allow":"once"}');
    expect(await (await ask(second, "/approvals")).json()).toEqual([]);
    const count = await ask(second, `/conversations/${id}/files/text?path=work/count`);
    expect(await count.json()).toMatchObject({ text: "ran\n" });
  });

  test("APPR-33: goes on if two answers come at once and the first cannot be stored", async () => {
    const gate = failingAnswer();
    const { id, second, open } = await waiting(gate.approvals);
    const answer = { answer: { allow: "once" }, digest: open.digest };
    const failed = decide(second, open, answer);
    await gate.begun;
    const stored = decide(second, open, answer);
    await gate.answered;
    gate.fail();
    expect((await failed).status).toBe(409);
    const { turn } = (await (await stored).json()) as { turn: string };
    expect(await outputs(second, id, turn)).toEqual([expect.stringContaining("ran\\n")]);
  });

  test("SERVE-54: a message that is to wait does not withdraw the question; its turn comes after the one that goes on", async () => {
    const { id, open, second } = await waiting();
    const json = { message: { parts: [{ type: "text", text: "and then" }] }, whenBusy: "queue" };
    const queued = await ask(second, `/conversations/${id}/turns`, { json });
    expect(queued.status).toBe(202);
    const { turn } = (await queued.json()) as { turn: string };
    expect(await (await ask(second, `/conversations/${id}/approvals`)).json()).toHaveLength(1);
    const stream = await ask(second, `/conversations/${id}/turns/${turn}/stream`);
    expect((await decide(second, open, { answer: { allow: "once" }, digest: open.digest })).status).toBe(200);
    expect((await allEvents(stream)).at(-2)).toMatchObject({ data: { type: "finish" } });
    const history = (await (await ask(second, `/conversations/${id}/messages`)).json()) as object[];
    expect(JSON.stringify(history)).toMatch(/Run it.*It is done.*and then/);
  });

  test("SERVE-54: a message that waits for an approval is answered without a client that reads its turn", async () => {
    const { id, open, second } = await waiting();
    const json = { message: { parts: [{ type: "text", text: "and then" }] }, whenBusy: "queue" };
    expect((await ask(second, `/conversations/${id}/turns`, { json })).status).toBe(202);
    expect((await decide(second, open, { answer: { allow: "once" }, digest: open.digest })).status).toBe(200);
    const messages = async () =>
      (await (await ask(second, `/conversations/${id}/messages`)).json()) as object[];
    await expect.poll(async () => (await messages()).length).toBe(5);
    expect(JSON.stringify(await messages())).toMatch(/Run it.*It is done.*and then/);
  });

  test("APPR-31: goes on after an answer that was stored past the server, when a client opens the conversation", async () => {
    const { id, second, open, records } = await waiting();
    const scope = { app: "shared", user: "ada", session: id };
    expect((await ask(second, `/conversations/${id}/stream`)).status).toBe(204);
    const past = storedApprovals({ records });
    await past.decide(scope, open.id, { answer: { allow: "once" }, digest: open.digest });
    const stream = await ask(second, `/conversations/${id}/stream`);
    expect(JSON.stringify(await allEvents(stream))).toContain("ran\\n");
    const messages = await (await ask(second, `/conversations/${id}/messages`)).text();
    expect(messages).toContain("It is done.");
    expect(messages).toContain('"answer":{"allow":"once"}');
    expect((await ask(second, `/conversations/${id}/stream`)).status).toBe(204);
  });

  test("SERVE-94: takes no answer while its conversation is being deleted, and leaves nothing", async () => {
    const [deleting, begin] = signalled();
    const [allowed, allow] = signalled();
    const { id, second, open } = await waiting((records) => {
      const stored = storedApprovals({ records });
      return delegate(stored, {
        forget: async (session, ids, options) => {
          if (ids === undefined) {
            begin();
            await allowed;
          }
          await stored.forget(session, ids, options);
        },
      });
    });
    const deleted = ask(second, `/conversations/${id}`, { method: "DELETE" });
    await deleting;
    const answered = await decide(second, open, { answer: { allow: "once" }, digest: open.digest });
    expect(answered.status).toBe(404);
    allow();
    expect((await deleted).status).toBe(204);
    const workspaces = (await (await ask(second, "/workspaces")).json()) as { conversation: string }[];
    expect(workspaces.filter(({ conversation }) => conversation === id)).toEqual([]);
    expect(await (await ask(second, "/approvals")).json()).toEqual([]);
  });

  test("APPR-34: can be approved for further calls, and the user can take that back", async () => {
    const { id, second, open } = await waiting();
    await decide(second, open, { answer: { allow: "digest" }, digest: open.digest });
    const list = async (user: string) => (await ask(second, "/lasting-approvals", { user })).json();
    const [lasting] = (await list("ada")) as { id: string }[];
    expect(lasting).toMatchObject({ covers: "digest", action: "run", skill: "shout", source: "project" });
    expect(await list("bob")).toEqual([]);
    const path = `/lasting-approvals/${lasting?.id}`;
    expect((await ask(second, path, { method: "DELETE", user: "bob" })).status).toBe(404);
    expect((await ask(second, path, { method: "DELETE" })).status).toBe(204);
    expect([await list("ada"), (await ask(second, path, { method: "DELETE" })).status]).toEqual([[], 404]);
    expect((await ask(second, `/conversations/${id}`)).status).toBe(200);
  });

  test("APPR-16: is refused with the reason that a person gave", async () => {
    const { id, second, open } = await waiting();
    const answer = await decide(second, open, {
      answer: { refuse: "Not on a Sunday." },
      digest: open.digest,
    });
    const { turn } = (await answer.json()) as { turn: string };
    expect(await outputs(second, id, turn)).toEqual([expect.stringContaining("Not on a Sunday.")]);
  });

  test("APPR-17: takes one answer: another digest, another answer and another choice are refused", async () => {
    const { second, open } = await waiting();
    const answers: readonly (readonly [object, number])[] = [
      [{ answer: { allow: "once" }, digest: "another" }, 409],
      [{ answer: { allow: "once" } }, 409],
      [{ answer: { allow: "source" }, digest: open.digest }, 400],
      [{ answer: { allow: "ever" }, digest: open.digest }, 400],
      [{ answer: { refuse: "x".repeat(1001) }, digest: open.digest }, 400],
    ];
    for (const [json, status] of answers)
      expect([json, (await decide(second, open, json)).status]).toEqual([json, status]);
    const both = [{ answer: { refuse: "No." } }, { answer: { allow: "once" } }] as const;
    const together = await Promise.all(
      both.map((json) => decide(second, open, { ...json, digest: open.digest })),
    );
    // The one that comes later may find that the question is gone, because the turn has gone on.
    expect(together.map(({ status }) => status).sort()).toBeOneOf([
      [200, 404],
      [200, 409],
    ]);
  });

  test("APPR-18: is unknown to other users and other conversations", async () => {
    const { second, open } = await waiting();
    const json = { answer: { allow: "once" }, digest: open.digest };
    expect((await decide(second, open, json, "bob")).status).toBe(404);
    expect(await (await ask(second, "/approvals", { user: "bob" })).json()).toEqual([]);
    const other = await newConversation(second);
    const path = `/conversations/${other}/approvals/${open.id}`;
    expect((await ask(second, path, { json })).status).toBe(404);
    expect((await ask(second, path.replace(open.id, "unknown"), { json })).status).toBe(404);
    expect(await (await ask(second, "/approvals")).json()).toHaveLength(1);
  });

  test("APPR-22: goes on too where an answer in another conversation covers its question", async () => {
    const { server } = shared();
    const one = server();
    const ids = [await newConversation(one), await newConversation(one)];
    for (const id of ids) await allEvents(await say(one, id, "Run it"));
    const open = (await (await ask(one, "/approvals")).json()) as ApprovalData[];
    const own = open.find(({ conversation }) => conversation === ids[0]) as ApprovalData;
    const answer = await decide(one, own, { answer: { allow: "digest" }, digest: own.digest });
    expect(answer.status).toBe(200);
    expect(await (await ask(one, "/approvals")).json()).toEqual([]);
    for (const id of ids)
      await expect
        .poll(async () => await (await ask(one, `/conversations/${id}/messages`)).text())
        .toContain("It is done.");
  });

  test("APPR-19: forgets its question when the conversation is deleted, or a new message comes", async () => {
    const { id, second } = await waiting();
    await (await say(second, id, "Something else")).text();
    expect(await (await ask(second, "/approvals")).json()).toEqual([]);
    const again = await waiting();
    expect((await ask(again.second, `/conversations/${again.id}`, { method: "DELETE" })).status).toBe(204);
    expect(await (await ask(again.second, "/approvals")).json()).toEqual([]);
  });
});
