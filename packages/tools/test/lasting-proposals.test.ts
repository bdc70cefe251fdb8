import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SkillError } from "@skillwright/core";
import { fsRecords, fsRepository } from "@skillwright/repository-fs";
import { memoryRecords } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { type SkillChange, skillProposals } from "@skillwright/tools";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { skillFile } from "./example-skills.js";

const CHILD = fileURLToPath(new URL("children/proposing.mjs", import.meta.url));
const PATIENCE = { timeout: 180_000 };
const change: SkillChange = {
  action: "update",
  repository: "project",
  name: "own",
  put: [{ path: "references/notes.md", content: "Notes." }],
};

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "skillwright proposals "));
  const files = [
    { path: "SKILL.md", content: skillFile("own") },
    { path: "references/kept.md", content: "Kept." },
  ];
  await fsRepository({ root: join(root, "skills") }).upload(files);
});
afterEach(async () => await rm(root, { recursive: true }));

/** What a process over these folders has; each call is as good as a new process. */
function opened() {
  const skills = skillBox({ project: fsRepository({ root: join(root, "skills") }) });
  const records = fsRecords({ root: join(root, "records") });
  return { skills, records, proposals: skillProposals(skills, { records }) };
}

if (hasAll("packages/tools/dist", "packages/repository-fs/dist", "packages/skillbox/dist"))
  describe("proposals of a killed process", () => {
    test("EDIT-16: are listed, shown and applied by the next process", PATIENCE, async () => {
      await killedAfterProposing();
      const { skills, proposals } = opened();
      const [waiting, ...more] = await proposals.list();
      expect(more).toEqual([]);
      expect(waiting).toMatchObject({
        action: "update",
        name: "own",
        baseDigest: (await skills.load("own")).digest,
        changes: [{ path: "references/notes.md", change: "added" }],
      });
      const { id = "", digest = "" } = waiting ?? {};
      const text = async (path: string) => Buffer.from(await proposals.content(id, path)).toString();
      expect([await text("references/notes.md"), await text("references/kept.md")]).toEqual([
        "Notes.",
        "Kept.",
      ]);
      expect((await proposals.apply(id, { digest }))?.digest).toBe(digest);
      expect((await opened().skills.load("own")).digest).toBe(digest);
      expect(await opened().proposals.list()).toEqual([]);
    });

    test("are stale in the next process where the skill changed since (EDIT-11)", PATIENCE, async () => {
      await killedAfterProposing();
      const { skills, proposals } = opened();
      await skills.upload("project", [{ path: "SKILL.md", content: skillFile("own", "", "Changed.") }]);
      const { digest: now } = await skills.load("own");
      const { id = "", digest = "" } = (await proposals.list())[0] ?? {};
      await expect(proposals.apply(id, { digest })).rejects.toMatchObject({ code: "CONFLICT" });
      await expect(proposals.content(id, "SKILL.md")).rejects.toMatchObject({ code: "CONFLICT" });
      expect(Buffer.from(await proposals.content(id, "references/notes.md")).toString()).toBe("Notes.");
      expect((await skills.load("own")).digest).toBe(now);
      expect(await proposals.reject(id)).toBe(true);
    });

    test(
      "EDIT-17: are applied by one of two processes that decide at once, and the other is told",
      PATIENCE,
      async () => {
        const { proposals } = opened();
        const { id, digest } = await proposals.propose(change);
        const deciding = [0, 1].map(() => started(["decide", root, id, digest]));
        for (const child of deciding) await nextLine(child);
        const outcomes = deciding.map((child) => nextLine(child));
        for (const child of deciding) child.stdin?.end("now\n");
        const [told] = (await Promise.all(outcomes)).filter((outcome) => outcome !== "applied");
        expect(await Promise.all(outcomes)).toEqual(expect.arrayContaining(["applied", told]));
        expect(["CONFLICT", "INPUT_INVALID"]).toContain(told);
        expect(await opened().proposals.list()).toEqual([]);
      },
    );
  });

describe("a decision", () => {
  test("in progress refuses another one about the same skill until a minute has passed", async () => {
    const { skills, records, proposals } = opened();
    const [one, two] = [await proposals.propose(change), await proposals.propose({ ...change })];
    let ended = () => {};
    const isUploading = new Promise<void>((resolve) => {
      const uploading = new Promise<void>((end) => (ended = end));
      skills.upload = async () => {
        resolve();
        await uploading;
        throw new SkillError("BACKEND_FAILED", "The disk is full.");
      };
    });
    const first = proposals.apply(one.id, one);
    await isUploading;
    const other = opened().proposals;
    const busy = { code: "CONFLICT", message: expect.stringContaining("under way") };
    for (const { id, digest } of [one, two])
      await expect(other.apply(id, { digest })).rejects.toMatchObject(busy);
    await expect(other.reject(two.id)).rejects.toMatchObject(busy);
    await expect(other.revise(two.id, change)).rejects.toMatchObject(busy);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_001 });
    try {
      expect(await other.reject(two.id)).toBe(true);
    } finally {
      vi.useRealTimers();
    }
    ended();
    await expect(first).rejects.toMatchObject({ code: "BACKEND_FAILED" });
    // Failed, so it still waits and can be decided on at once.
    expect(await skillProposals(opened().skills, { records }).apply(one.id, one)).toMatchObject({
      name: "own",
    });
  });

  test("that was applied before its process was killed is not written again", async () => {
    const { skills, records, proposals } = opened();
    const { id, digest } = await proposals.propose(change);
    const unremoved: typeof records = {
      ...records,
      delete: async (key, options) => key[0] !== "proposal" && (await records.delete(key, options)),
    };
    await skillProposals(skills, { records: unremoved }).apply(id, { digest });
    expect(await proposals.list()).toHaveLength(1);
    const next = opened();
    next.skills.upload = async () => expect.fail("It is written again.");
    expect((await next.proposals.apply(id, { digest }))?.digest).toBe(digest);
    expect(await proposals.list()).toEqual([]);
    const deletion = await proposals.propose({ action: "delete", repository: "project", name: "own" });
    await skillProposals(opened().skills, { records: unremoved }).apply(deletion.id, deletion);
    expect(await opened().proposals.apply(deletion.id, deletion)).toBeUndefined();
  });
});

test("proposals of another owner are not listed, and a record of a later release is an error", async () => {
  const { skills } = opened();
  const records = memoryRecords();
  const [mine, others] = ["mine", "others"].map((app) =>
    skillProposals(skills, { records, owner: { app, user: "ada" } }),
  );
  await others?.propose(change);
  expect(await mine?.list()).toEqual([]);
  await records.write(["proposal", "mine", "ada", "later"], { value: { formatVersion: 2 } });
  await expect(mine?.list()).rejects.toMatchObject({
    code: "BACKEND_FAILED",
    message: expect.stringContaining("later release"),
  });
});

function started(parameters: readonly string[]): ChildProcess {
  return spawn(process.execPath, [CHILD, ...parameters], { stdio: ["pipe", "pipe", "inherit"] });
}

/** @throws Error where the process ends first. */
async function nextLine(child: ChildProcess): Promise<string> {
  const closed = once(child, "close").then(([code]) => {
    throw new Error(`The child ended with ${code}.`);
  });
  const [data] = await Promise.race([once(child.stdout as NonNullable<typeof child.stdout>, "data"), closed]);
  return String(data).trim();
}

async function killedAfterProposing(): Promise<void> {
  const child = started(["propose", root]);
  await nextLine(child);
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
}
