import type { WritableSkillRepository } from "@skillwright/core";
import { indexed } from "@skillwright/skillbox";
import { expect, test } from "vitest";
import { counted, namesOf, uploadOf } from "./counted.js";

const FAILED = [{ code: "index.failed", severity: "warning" }];

test("an index that cannot be read hides no skill and is reported", async () => {
  const { repository, index, failing } = counted("alpha");
  failing.read = true;
  const skills = indexed(repository, index);
  const { skills: found, diagnostics } = await skills.list();
  expect(namesOf({ skills: found })).toEqual(["alpha"]);
  expect(diagnostics).toMatchObject(FAILED);
  expect(diagnostics[0]?.message).toMatch(/"memory".*BACKEND_FAILED.*down/);
  expect((await skills.load("alpha")).body).toBe("Body of alpha");
});

test("an index that cannot be written hides no skill, is reported, and costs one listing", async () => {
  const { repository, index, failing, asks } = counted("alpha");
  failing.write = true;
  const listing = await indexed(repository, index).list();
  expect([namesOf(listing), listing.diagnostics]).toMatchObject([["alpha"], FAILED]);
  expect(asks()).toEqual(["read", "list", "write"]);
});

test("an upload that the index rejected takes effect, is reported, and is added by the next list", async () => {
  const { repository, plain, index, failing, asks } = counted("alpha");
  const skills = indexed(repository, index);
  await skills.list();
  failing.write = true;
  expect((await skills.upload(uploadOf("beta"))).diagnostics).toMatchObject(FAILED);
  const meanwhile = await skills.list();
  expect([namesOf(meanwhile), meanwhile.diagnostics]).toMatchObject([["alpha", "beta"], FAILED]);
  failing.write = false;
  const mended = await skills.list();
  expect([namesOf(mended), mended.diagnostics]).toEqual([["alpha", "beta"], []]);
  expect(namesOf((await plain.read()) ?? { skills: [] })).toEqual(["alpha", "beta"]);
  asks();
  await skills.list();
  expect(asks()).toEqual(["read"]);
});

test("a deletion that the index rejected is applied by the next list", async () => {
  const { repository, plain, index, failing } = counted("alpha", "beta");
  const skills = indexed(repository, index);
  await skills.list();
  failing.read = true;
  expect(await skills.delete("beta")).toBe(true);
  failing.read = false;
  expect(namesOf(await skills.list())).toEqual(["alpha"]);
  expect(namesOf((await plain.read()) ?? { skills: [] })).toEqual(["alpha"]);
});

test("an upload with an unknown outcome makes the next list look at the repository", async () => {
  const { memory, repository, index } = counted("alpha");
  const upload: WritableSkillRepository["upload"] = async (files) => {
    await memory.upload(files);
    throw new Error("connection lost");
  };
  const skills = indexed({ ...repository, upload }, index);
  await skills.list();
  await expect(skills.upload(uploadOf("beta"))).rejects.toThrow("connection lost");
  expect(namesOf(await skills.list())).toEqual(["alpha", "beta"]);
});

test("a repository that fails is an error, not a failure of the index", async () => {
  const { repository, index } = counted("alpha");
  const skills = indexed({ ...repository, list: () => Promise.reject(new Error("bucket gone")) }, index);
  await expect(skills.list()).rejects.toThrow("bucket gone");
});

test("an index that keeps changing counts as failed after a number of attempts", async () => {
  const { repository, plain, index, asks } = counted("alpha");
  const skills = indexed(
    repository,
    {
      ...index,
      write: async (change) => {
        const at = (await plain.read())?.revision;
        await plain.write({ from: at, put: [], remove: [] });
        return await index.write(change);
      },
    },
    { attempts: 3 },
  );
  const { diagnostics } = await skills.upload(uploadOf("beta"));
  expect(diagnostics).toMatchObject([{ code: "index.failed", message: expect.stringContaining("CONFLICT") }]);
  expect(asks().filter((ask) => ask === "write")).toHaveLength(3);
});
