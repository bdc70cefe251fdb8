import type { RecordStore } from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import { recordTrust } from "@skillwright/records";
import { memoryRecords, memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import {
  type SkillToolsOptions,
  type StoredApprovalsOptions,
  skillTools,
  storedApprovals,
  userTrust,
  waitingApproval,
} from "@skillwright/tools";
import { describe, expect, test } from "vitest";
import { callContext, caller, refusalOf, session, skillFile } from "./example-skills.js";
import { recordingWorkspaces } from "./recording-workspaces.js";

const own = { app: session.app, user: session.user };

/** Tools over an untrusted skill `foreign`; `again()` gives those of another process that shares store and skills. */
function setUp(options: Partial<SkillToolsOptions> & StoredApprovalsOptions = {}) {
  const { mayAllowSource, ...more } = options;
  const files = { "SKILL.md": skillFile("foreign"), "a.sh": "echo a" };
  const project = memoryRepository({ skills: { foreign: files, other: { "SKILL.md": skillFile("other") } } });
  const skills = skillBox({ project: { repository: project, trusted: false } });
  const records = memoryRecords();
  const recorded = recordingWorkspaces();
  const again = () => {
    const approvals = storedApprovals({ records, mayAllowSource });
    const call = caller(skillTools({ skills, workspaces: recorded.workspaces, approvals, ...more }));
    const run = (callId: string, { skill = "foreign", command = "ls", user = "ann" } = {}) =>
      call("skill_run", { skill, command }, callContext({ callId, session: { ...session, user } }));
    return { approvals, call, run };
  };
  const edit = () =>
    project.upload([
      { path: "SKILL.md", content: skillFile("foreign", "", "Changed.") },
      { path: "b.sh", content: "echo b" },
    ]);
  return { ...recorded, workspaceSessions: recorded.sessions, skills, records, edit, again, ...again() };
}

describe("a stored question", () => {
  test("APPR-01: names all that a person needs, once for each call, and nothing is done before its answer", async () => {
    const { run, approvals, runs, workspaceSessions, skills } = setUp();
    const first = await run("c1", { command: "sh a.sh" });
    const id = waitingApproval(first);
    expect(refusalOf(first)).toMatchObject({ code: "REFUSED", retry: true });
    expect(waitingApproval(await run("c1", { command: "sh a.sh" }))).toBe(id);
    const open = await approvals.list(own);
    expect(open).toMatchObject([
      {
        id,
        choices: ["once", "digest"],
        request: {
          ...{ session, callId: "c1", action: "run", skill: "foreign", source: "project" },
          ...{ subject: "sh a.sh", digest: (await skills.load("foreign")).digest },
          reason: expect.stringContaining("not trusted"),
        },
      },
    ]);
    expect([runs, workspaceSessions]).toEqual([[], []]);
  });

  test("APPR-32: takes its answer while an answer about the same skill is being stored", async () => {
    const { run, approvals, records } = setUp();
    let readers = 0;
    let bothRead = () => undefined as unknown;
    const both = new Promise<void>((resolve) => {
      bothRead = resolve as () => void;
    });
    const together: RecordStore = delegate(records, {
      write: async (key, ...given) => {
        if (key[0] === "approved-content") {
          if (++readers === 2) bothRead();
          await both;
        }
        return await records.write(key, ...given);
      },
    });
    const ids = [waitingApproval(await run("c1")), waitingApproval(await run("c2"))];
    const { digest } = (await approvals.list(own))[0]?.request ?? {};
    const deciding = storedApprovals({ records: together });
    const decide = (id = "") => deciding.decide(own, id, { digest, answer: { allow: "once" } });
    const answers = await Promise.all(ids.map(decide));
    expect(answers.map(({ answer }) => answer)).toEqual([{ allow: "once" }, { allow: "once" }]);
  });

  test("APPR-34: an approval for later calls is listed, and only its user can take it back", async () => {
    const { run, approvals, again } = setUp();
    const id = waitingApproval(await run("c1")) ?? "";
    const { digest } = (await approvals.list(own))[0]?.request ?? {};
    expect(await approvals.lasting(own)).toEqual([]);
    await approvals.decide(own, id, { digest, answer: { allow: "digest" } });
    expect((await run("c2")).isError).toBe(false);
    const [lasting, ...others] = await again().approvals.lasting(own);
    expect([lasting, others]).toEqual([
      {
        ...{ id: expect.stringMatching(/^digest-/), covers: "digest", action: "run", skill: "foreign" },
        ...{ source: "project", at: expect.any(String) },
      },
      [],
    ]);
    expect(await approvals.lasting({ ...own, user: "bob" })).toEqual([]);
    expect(await approvals.revoke({ ...own, user: "bob" }, lasting?.id ?? "")).toBe(false);
    expect(await approvals.revoke(own, lasting?.id ?? "")).toBe(true);
    expect(await approvals.revoke(own, lasting?.id ?? "")).toBe(false);
    expect(await approvals.lasting(own)).toEqual([]);
    expect(waitingApproval(await run("c3"))).toBeDefined();
  });

  test("APPR-02: answered in another process lets the same call run, once", async () => {
    const { run, approvals, again, runs } = setUp();
    const id = waitingApproval(await run("c1")) ?? "";
    const { digest } = (await again().approvals.list(own))[0]?.request ?? {};
    await again().approvals.decide(own, id, { digest, answer: { allow: "once" } });
    expect(await approvals.list(own)).toEqual([]);
    expect((await again().run("c1")).isError).toBe(false);
    expect(runs).toHaveLength(1);
    expect(waitingApproval(await run("c2"))).toBeDefined();
    expect(waitingApproval(await run("c1", { command: "rm -r ." }))).toBeDefined();
    expect(runs).toHaveLength(1);
  });

  test("APPR-03: refused tells the model the reason, and only that call", async () => {
    const { run, approvals, runs } = setUp();
    const id = waitingApproval(await run("c1")) ?? "";
    const { digest } = (await approvals.get(own, id))?.request ?? {};
    await approvals.decide(own, id, { digest, answer: { refuse: "Use our own tool." } });
    const refusal = refusalOf(await run("c1"));
    expect(refusal).toMatchObject({ code: "REFUSED", retry: false });
    expect(refusal.message).toContain("Use our own tool.");
    expect(waitingApproval(await run("c2"))).toBeDefined();
    expect(runs).toEqual([]);
  });

  test("APPR-04: allowed for the digest covers every call until the content changes, and then tells what changed", async () => {
    const trust = recordTrust(memoryRecords());
    const { run, approvals, again, edit, runs, skills } = setUp({ trust });
    const ids = [await run("c1"), await run("c2", { command: "pwd" })].map(waitingApproval);
    const { digest } = await skills.load("foreign");
    await approvals.decide(own, ids[0] ?? "", { digest, answer: { allow: "digest" } });
    expect(await approvals.list(own)).toEqual([]);
    for (const call of ["c1", "c2", "c3"]) expect((await again().run(call)).isError).toBe(false);
    expect(runs).toHaveLength(3);
    expect(await userTrust(trust, own).isAllowed(digest, "project")).toBe(true);
    await edit();
    const next = await approvals.get(own, waitingApproval(await run("c4")) ?? "");
    expect(next).toMatchObject({
      approvedDigest: digest,
      request: {
        changes: [
          { path: "SKILL.md", change: "changed" },
          { path: "a.sh", change: "removed" },
          { path: "b.sh", change: "added" },
        ],
      },
    });
  });

  test("APPR-05: allowed for the source covers its other skills, where the policy offers that", async () => {
    const { run, approvals, again, edit, runs } = setUp({
      mayAllowSource: ({ source }) => source === "project",
    });
    const id = waitingApproval(await run("c1")) ?? "";
    const { choices, request } = (await approvals.get(own, id)) ?? {};
    expect(choices).toEqual(["once", "digest", "source"]);
    await approvals.decide(own, id, { digest: request?.digest, answer: { allow: "source" } });
    await edit();
    await again().run("c1");
    await again().run("c2", { skill: "other" });
    expect(runs).toHaveLength(2);
    expect(waitingApproval(await run("c3", { user: "bob" }))).toBeDefined();
  });

  test("an answer that is not among the choices is refused", async () => {
    const { run, approvals } = setUp();
    const id = waitingApproval(await run("c1")) ?? "";
    const { digest } = (await approvals.get(own, id))?.request ?? {};
    const source = approvals.decide(own, id, { digest, answer: { allow: "source" } });
    await expect(source).rejects.toMatchObject({ code: "INPUT_INVALID" });
  });

  test("APPR-06: is stale once the digest changed, whether it was answered or not, and says so", async () => {
    const { run, approvals, edit, skills, runs } = setUp();
    const { digest: old } = await skills.load("foreign");
    const id = waitingApproval(await run("c1")) ?? "";
    await approvals.decide(own, id, { digest: old, answer: { allow: "once" } });
    await edit();
    const asked = await run("c1");
    expect(waitingApproval(asked)).toBe(id);
    expect(refusalOf(asked).message).toContain("changed since it was first asked");
    const { digest } = await skills.load("foreign");
    const [question, ...more] = await approvals.list(own);
    expect([question?.staleDigest, question?.request.digest, more]).toEqual([old, digest, []]);
    const late = approvals.decide(own, id, { digest: old, answer: { allow: "once" } });
    await expect(late).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining("is stale"),
    });
    await approvals.decide(own, id, { digest, answer: { allow: "once" } });
    expect((await run("c1")).isError).toBe(false);
    expect(runs).toHaveLength(1);
  });

  test("APPR-07: takes one answer; the same one again changes nothing, another one is a conflict", async () => {
    const { run, approvals, again } = setUp();
    const id = waitingApproval(await run("c1")) ?? "";
    const { digest } = (await approvals.get(own, id))?.request ?? {};
    const answers = [{ allow: "once" }, { refuse: "no" }] as const;
    const results = await Promise.allSettled(
      answers.map((answer) => again().approvals.decide(own, id, { digest, answer })),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const stored = (await approvals.get(own, id))?.answer;
    for (const answer of answers) {
      const repeated = approvals.decide(own, id, { digest, answer });
      if (JSON.stringify(answer) === JSON.stringify(stored)) expect((await repeated).answer).toEqual(stored);
      else await expect(repeated).rejects.toMatchObject({ code: "CONFLICT" });
    }
  });

  test("APPR-08: belongs to its user: nobody else sees or answers it", async () => {
    const { run, approvals } = setUp();
    const id = waitingApproval(await run("c1")) ?? "";
    const { digest } = (await approvals.get(own, id))?.request ?? {};
    for (const other of [
      { ...own, user: "bob" },
      { ...own, app: "other" },
    ]) {
      expect([await approvals.list(other), await approvals.get(other, id)]).toEqual([[], undefined]);
      const taken = approvals.decide(other, id, { digest, answer: { allow: "once" } });
      await expect(taken).rejects.toMatchObject({ code: "INPUT_INVALID" });
      await approvals.forget({ ...other, session: session.session });
    }
    expect(await approvals.list(own)).toHaveLength(1);
  });

  test("is forgotten with its session, while those of other sessions and lasting approvals stay", async () => {
    const { run, call, approvals } = setUp();
    await run("c1");
    const id = waitingApproval(await run("c2", { skill: "other" })) ?? "";
    const { digest } = (await approvals.get(own, id))?.request ?? {};
    await approvals.decide(own, id, { digest, answer: { allow: "digest" } });
    const other = { ...session, session: "s2" };
    await call("skill_run", { skill: "foreign", command: "ls" }, callContext({ session: other }));
    expect(await approvals.list({ ...own, session: session.session })).toHaveLength(1);
    await approvals.forget(session);
    expect((await approvals.list(own)).map(({ request }) => request.session)).toEqual([other]);
    expect((await run("c3", { skill: "other" })).isError).toBe(false);
  });
});

test("a record of a later release and a store that fails allow nothing", async () => {
  const { run, records, runs } = setUp();
  const id = waitingApproval(await run("c1")) ?? "";
  await records.write(["question", "test", "ann", id], { value: { formatVersion: 2 } });
  expect(refusalOf(await run("c1"))).toMatchObject({ code: "BACKEND_FAILED" });
  const away = { ...records, get: () => Promise.reject(new Error("The disk is gone.")) };
  const next = setUp({ approvals: storedApprovals({ records: away }) });
  expect(refusalOf(await next.run("c1")).message).toContain("The disk is gone.");
  expect([runs, next.runs]).toEqual([[], []]);
});

test("an approval without a store for it lasts as long as the process", async () => {
  const { run, approvals, runs } = setUp({ approvals: storedApprovals() });
  expect(waitingApproval(await run("c1"))).toBeDefined();
  expect(await approvals.list(own)).toEqual([]);
  expect(runs).toEqual([]);
});
