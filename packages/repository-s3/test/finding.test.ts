import { skillMarkdown } from "@skillwright/contracts";
import { expect, onTestFinished, test } from "vitest";
import { openS3Repository, s3Repository } from "../src/index.js";
import { fakeBucket, PREFIX } from "./fake-subject.js";

const SKILLS = {
  alpha: { "SKILL.md": skillMarkdown("alpha"), "a.txt": "a" },
  elsewhere: { "SKILL.md": skillMarkdown("beta") },
  broken: { "SKILL.md": "no header" },
};

async function setUp() {
  const fake = await fakeBucket(SKILLS);
  onTestFinished(() => fake.close());
  const repository = s3Repository({ client: fake.client, bucket: fake.bucket, prefix: PREFIX });
  /** The listings of plain folders that the call made, below the prefix. */
  async function listed(work: () => Promise<unknown>): Promise<readonly string[]> {
    fake.requests.length = 0;
    await work();
    const keys = fake.requests.filter(({ operation }) => operation === "list").map(({ key }) => key);
    return keys.map((key) => key.slice(PREFIX.length + 1)).filter((key) => !key.startsWith("."));
  }
  return { fake, repository, listed };
}

test("a listed skill is found by listing its own folder, whatever the folder is called", async () => {
  const { repository, listed } = await setUp();
  const { skills } = await repository.list();
  for (const [name, folder] of [
    ["alpha", "alpha/"],
    ["beta", "elsewhere/"],
  ] as const) {
    const expected = skills.find((skill) => skill.name === name);
    expect(await listed(async () => expect(await repository.find?.(name)).toEqual(expected))).toEqual([
      folder,
    ]);
  }
  expect(await listed(() => repository.find?.("none") ?? Promise.reject())).toEqual([]);
  expect(await listed(async () => expect(await repository.find?.("broken")).toBeUndefined())).toEqual([
    "broken/",
  ]);
});

test("a skill is found by the first key and one listing of the bucket where nothing was listed before", async () => {
  const { repository, listed } = await setUp();
  expect(
    await listed(async () => expect(await repository.find?.("alpha")).toMatchObject({ path: "alpha" })),
  ).toEqual(["", ""]);
  const beta = await listed(async () =>
    expect(await repository.find?.("beta")).toMatchObject({ path: "elsewhere" }),
  );
  expect(beta).toEqual(["elsewhere/"]);
});

test("a skill is the one with the first path, as in a listing, before anything was listed either", async () => {
  const { fake } = await setUp();
  fake.put(`${PREFIX}/a/alpha/SKILL.md`, skillMarkdown("alpha"));
  const given = { client: fake.client, bucket: fake.bucket, prefix: PREFIX };
  expect(await s3Repository(given).find?.("alpha")).toMatchObject({ path: "a/alpha" });
  expect(await s3Repository(given).load("alpha")).toMatchObject({ path: "a/alpha" });
});

test("a changed skill is found in its new state, a moved one at its new place, and a deleted one is not found", async () => {
  const { fake, repository } = await setUp();
  const before = await repository.list().then(({ skills }) => skills.find(({ name }) => name === "alpha"));
  fake.put(`${PREFIX}/alpha/a.txt`, "another");
  const changed = await repository.find?.("alpha");
  expect(changed?.changeMark).not.toBe(before?.changeMark);
  expect(changed?.changeMark).toBe((await repository.load("alpha")).changeMark);
  fake.put(`${PREFIX}/moved/SKILL.md`, skillMarkdown("beta"));
  fake.objects.delete(`${PREFIX}/elsewhere/SKILL.md`);
  expect(await repository.find?.("beta")).toMatchObject({ path: "moved" });
  fake.objects.delete(`${PREFIX}/moved/SKILL.md`);
  expect(await repository.find?.("beta")).toBeUndefined();
});

test("a published skill is found by its record, and hides plain folders of its name", async () => {
  const { fake, repository, listed } = await setUp();
  await repository.list();
  const publishing = await openS3Repository({ client: fake.client, bucket: fake.bucket, prefix: PREFIX });
  for (const name of ["alpha", "new"]) {
    await publishing.upload([{ path: "SKILL.md", content: skillMarkdown(name) }]);
    const { version } = (await repository.find?.(name)) ?? {};
    expect(version).toBe("1");
  }
  expect(await listed(() => repository.find?.("new") ?? Promise.reject())).toEqual([]);
  await publishing.delete("alpha");
  expect(await repository.find?.("alpha")).toBeUndefined();
});

test("a plain folder that a publication of another name hides is not found, before anything was listed either", async () => {
  const { fake } = await setUp();
  const given = { client: fake.client, bucket: fake.bucket, prefix: PREFIX };
  const publishing = await openS3Repository(given);
  await publishing.upload([{ path: "SKILL.md", content: skillMarkdown("beta") }]);
  fake.put(`${PREFIX}/elsewhere/SKILL.md`, skillMarkdown("elsewhere"));
  const listed = s3Repository(given);
  expect((await listed.list()).skills.map(({ name }) => name)).toEqual(["alpha", "beta"]);
  expect(await s3Repository(given).find?.("elsewhere")).toEqual(await listed.find?.("elsewhere"));
});
