import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { type ProposedFile, type SkillChange, skillProposals } from "@skillwright/tools";
import { expect, test } from "vitest";
import { skillFile } from "./example-skills.js";

function setUp() {
  const project = memoryRepository({ skills: { own: { "SKILL.md": skillFile("own") } } });
  const skills = skillBox({ project });
  const update = (...put: ProposedFile[]): SkillChange => ({
    action: "update",
    repository: "project",
    name: "own",
    put,
  });
  return { project, skills, proposals: skillProposals(skills), update };
}

const notes = { path: "references/notes.md", content: "Notes." };

test("a proposal whose skill changed before it is applied is stale, and nothing is written (EDIT-11)", async () => {
  const { project, skills, proposals, update } = setUp();
  const { id, digest } = await proposals.propose(update(notes));
  await project.upload([{ path: "SKILL.md", content: skillFile("own", "", "Changed meanwhile.") }]);
  const now = (await skills.load("own")).digest;
  await expect(proposals.apply(id, { digest })).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("changed after the proposal was made"),
  });
  expect((await skills.load("own")).digest).toBe(now);
});

test("a proposal that was revised after the review is not applied with the old digest (EDIT-12)", async () => {
  const { skills, proposals, update } = setUp();
  const seen = await proposals.propose(update(notes));
  const later = await proposals.revise(seen.id, update({ ...notes, content: "Other notes." }));
  await expect(proposals.apply(seen.id, { digest: seen.digest })).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("revised"),
  });
  expect((await skills.load("own")).manifest.files).toHaveLength(1);
  expect(Buffer.from(await proposals.content(seen.id, notes.path)).toString()).toBe("Other notes.");
  expect((await proposals.apply(seen.id, { digest: later.digest }))?.digest).toBe(later.digest);
});

test.each<[string, ProposedFile, string]>([
  ["is absolute", { path: "/references/x.md", content: "x" }, "PATH_OUTSIDE"],
  ["has a hidden segment", { path: "references/.x/y.md", content: "x" }, "PATH_INVALID"],
  ["is executable", { path: "scripts/x.sh", content: "x", executable: true }, "INPUT_INVALID"],
  [
    "begins as a program",
    { path: "scripts/x", content: Buffer.from("\x7fELF\x01\x01", "latin1") },
    "INPUT_INVALID",
  ],
  ["is not UTF-8", { path: "assets/x.txt", content: Uint8Array.of(0x66, 0xff, 0xfe) }, "INPUT_INVALID"],
  ["holds half a surrogate pair", { path: "assets/x.txt", content: "a\ud800" }, "INPUT_INVALID"],
  ["is outside the allowed folders", { path: "lib/x.md", content: "x" }, "PATH_INVALID"],
  ["is above 1 MiB", { path: "assets/x.txt", content: "x".repeat(1024 * 1024 + 1) }, "LIMIT_EXCEEDED"],
])("a support file that %s is refused (EDIT-10)", async (_what, file, code) => {
  const { proposals, update } = setUp();
  await expect(proposals.propose(update(file))).rejects.toMatchObject({ code });
  expect(await proposals.list()).toEqual([]);
});

test("a file exactly at the limit is accepted", async () => {
  const { proposals, update } = setUp();
  const file = { path: "assets/x.txt", content: "x".repeat(1024 * 1024) };
  expect((await proposals.propose(update(file))).changes).toEqual([
    { path: "assets/x.txt", change: "added" },
  ]);
});

test("a script that a person made executable stays executable when its text changes", async () => {
  const { project, skills, proposals, update } = setUp();
  const files = [
    { path: "SKILL.md", content: skillFile("own") },
    { path: "scripts/x.sh", content: "echo 1\n", executable: true },
  ];
  await project.upload(files);
  const { id, digest } = await proposals.propose(update({ path: "scripts/x.sh", content: "echo 2\n" }));
  await proposals.apply(id, { digest });
  expect((await skills.load("own")).manifest.files.find(({ path }) => path === "scripts/x.sh")).toMatchObject(
    {
      executable: true,
    },
  );
});

test("two proposals for one skill: applying the first makes the other stale", async () => {
  const { proposals, update } = setUp();
  const [one, two] = [
    await proposals.propose(update(notes)),
    await proposals.propose(update({ ...notes, content: "2" })),
  ];
  const outcomes = await Promise.allSettled(
    [one, two].map(({ id, digest }) => proposals.apply(id, { digest })),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
});

test("an edit that is based on another state of the skill is refused", async () => {
  const { project, skills, proposals, update } = setUp();
  const from = (await skills.load("own")).digest;
  await project.upload([{ path: "SKILL.md", content: skillFile("own", "", "Changed meanwhile.") }]);
  await expect(proposals.propose({ ...update(notes), from } as SkillChange)).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("changed during the edit"),
  });
});

test("a deletion is bound to the digest that is deleted", async () => {
  const { project, skills, proposals } = setUp();
  const change: SkillChange = { action: "delete", repository: "project", name: "own" };
  const { id, digest } = await proposals.propose(change);
  await project.upload([{ path: "SKILL.md", content: skillFile("own", "", "Better now.") }]);
  await expect(proposals.apply(id, { digest })).rejects.toMatchObject({ code: "CONFLICT" });
  const again = await proposals.revise(id, change);
  expect(await proposals.apply(id, { digest: again.digest })).toBeUndefined();
  expect((await skills.snapshot()).skills).toEqual([]);
});

test("a rejected proposal is gone, and an unknown id is reported", async () => {
  const { proposals, update } = setUp();
  const { id, digest } = await proposals.propose(update(notes));
  expect([await proposals.reject(id), await proposals.reject(id)]).toEqual([true, false]);
  await expect(proposals.apply(id, { digest })).rejects.toMatchObject({ code: "INPUT_INVALID" });
});
