import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fsRepository } from "@skillwright/repository-fs";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { expect, onTestFinished, test } from "vitest";
import { skillFile, skillFiles } from "./skill-file.js";

const files = (name: string, body?: string) => [
  { path: "SKILL.md", content: skillFile(name, undefined, body)["SKILL.md"] },
];

test("LIST-20: a snapshot stays unchanged while the skills change; the next one shows the changes", async () => {
  const memory = memoryRepository({ skills: skillFiles("a") });
  const box = skillBox({ own: memory });
  const taken = await box.snapshot();
  await memory.upload(files("b"));
  expect(taken.skills.map(({ name }) => name)).toEqual(["a"]);
  expect((await box.snapshot()).skills.map(({ name }) => name)).toEqual(["a", "b"]);
});

test("LIST-21: a session's stored snapshot is compared by content after a restart, not by a counter", async () => {
  const skills = skillFiles("a");
  const stored = JSON.parse(JSON.stringify(await skillBox({ own: memoryRepository({ skills }) }).snapshot()));
  const memory = memoryRepository({ skills });
  const restarted = skillBox({ own: memory });
  expect((await restarted.snapshot()).fingerprint).toBe(stored.fingerprint);
  await memory.upload(files("a", "Another body"));
  expect((await restarted.snapshot()).fingerprint).not.toBe(stored.fingerprint);
});

test("LIST-22: a catalogue with one more root has its skills, and another fingerprint", async () => {
  const own = memoryRepository({ skills: skillFiles("a") });
  const before = await skillBox({ own }).snapshot();
  const after = await skillBox({ own, extra: memoryRepository({ skills: skillFiles("b") }) }).snapshot();
  expect(after.skills.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(after.fingerprint).not.toBe(before.fingerprint);
});

test("LIST-12: of broken, hidden, filtered and good skills in a folder only the good one is listed", async () => {
  const root = await mkdtemp(join(tmpdir(), "skillwright-test-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const path of ["good", "filtered", ".hidden/secret", "bad"]) {
    await mkdir(join(root, path), { recursive: true });
    const text = path === "bad" ? "no header" : skillFile(path.replace(/.*\//, ""))["SKILL.md"];
    await writeFile(join(root, path, "SKILL.md"), text);
  }
  const box = skillBox({ own: fsRepository({ root }) });
  const all = await box.snapshot();
  expect(all.skills.map(({ name }) => name)).toEqual(["filtered", "good"]);
  expect(all.broken.map(({ path }) => path)).toEqual(["bad"]);
  const { skills } = await box.snapshot({ only: { skills: ["good", "bad", "secret"] } });
  expect(skills.map(({ name }) => name)).toEqual(["good"]);
});

test("LIFE-04: a tenant is an identity and never a part of a path, whatever it is called", async () => {
  const tenants = ["a/b@x", "a", "../a"];
  const sources = tenants.map((tenant, at) => [
    `source ${at}`,
    { repository: memoryRepository({ skills: skillFiles(`of-${at}`) }), tenant },
  ]);
  const box = skillBox(Object.fromEntries(sources));
  for (const [at, tenant] of tenants.entries()) {
    const { skills } = await box.forTenant(tenant).snapshot();
    expect(skills.map(({ name }) => name)).toEqual([`of-${at}`]);
  }
  expect((await box.forTenant("a/b").snapshot()).skills).toEqual([]);
});

test("LIST-29: a hundred concurrent snapshots, while skills are added and removed, are each complete", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `skill-${index}`);
  const memory = memoryRepository({ skills: skillFiles(...names) });
  const box = skillBox({ own: memory });
  const taking = Array.from({ length: 100 }, async (_, index) => {
    if (index % 10 === 0) await memory.upload(files("changing", `${index}`));
    return (await box.snapshot()).skills.map(({ name }) => name);
  });
  for (const listed of await Promise.all(taking)) expect(listed).toEqual(expect.arrayContaining(names));
});

test("LIST-11: no sources, and sources without skills, are an empty catalogue and not an error", async () => {
  for (const box of [skillBox({}), skillBox({ own: memoryRepository() })])
    expect(await box.snapshot()).toMatchObject({ skills: [], broken: [], diagnostics: [] });
});

test("EDIT-03: a refused or read-only write is an error with its code, and changes nothing", async () => {
  const { upload: _u, delete: _d, ...readOnly } = memoryRepository({ skills: skillFiles("fixed") });
  const box = skillBox({ own: memoryRepository({ skills: skillFiles("a") }), fixed: readOnly as never });
  const before = (await box.snapshot()).fingerprint;
  await expect(box.upload("own", files("a"), { existing: "refuse" })).rejects.toMatchObject({
    code: "SKILL_EXISTS",
  });
  await expect(box.upload("fixed", files("b"))).rejects.toMatchObject({ code: "UNSUPPORTED" });
  await expect(box.delete("fixed", "fixed")).rejects.toMatchObject({ code: "UNSUPPORTED" });
  expect((await box.snapshot()).fingerprint).toBe(before);
});
