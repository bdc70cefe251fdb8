import { memoryRepository } from "@skillwright/repository-memory";
import { expect, test } from "vitest";
import { lockFileOf, lockFileText, parseLockFile } from "../src/lock/lock-file.js";
import { lockSkill } from "../src/lock/lock-skill.js";
import { SKILL } from "./skill-files.js";

const digest = `sha256:${"0123456789abcdef".repeat(4)}`;

test("the same skills give the same bytes, sorted by name and without times, which are read back unchanged", () => {
  const one = { source: "./a", digest };
  const two = { source: "s3://b/c", version: "3", digest };
  const text = lockFileText(
    lockFileOf([
      ["two", two],
      ["one", one],
    ]),
  );
  expect(text).toBe(
    lockFileText(
      lockFileOf([
        ["one", one],
        ["two", two],
      ]),
    ),
  );
  expect(text.indexOf('"one"')).toBeLessThan(text.indexOf('"two"'));
  expect(text.endsWith("}\n")).toBe(true);
  expect(parseLockFile(text)).toEqual({ formatVersion: 1, skills: { one, two } });
  expect(parseLockFile(`\uFEFF${text}`)).toEqual({ formatVersion: 1, skills: { one, two } });
});

test.each([
  [{ formatVersion: 2, skills: {} }, "formatVersion"],
  [{ formatVersion: 1 }, "skills"],
  [{ formatVersion: 1, skills: { one: { source: "x" } } }, "skills.one.digest"],
  [{ formatVersion: 1, skills: { one: { source: "x", digest: "sha256:1" } } }, "skills.one.digest"],
  [{ formatVersion: 1, skills: { "../one": { source: "x", digest } } }, "skills.../one"],
  [{ formatVersion: 1, skills: { "a/b": { source: "x", digest } } }, "skills.a/b"],
  [{ formatVersion: 1, skills: { Ü: { source: "x", digest } } }, "skills.Ü"],
  [{ formatVersion: 1, skills: { one: { source: "x", digest, when: 1 } } }, "skills.one.when"],
])("INSTALL-04: %j is refused with the name of %s", (lock, path) => {
  expect(() => parseLockFile(JSON.stringify(lock), "skills.lock.json")).toThrow(`- ${path}: `);
});

test("INSTALL-04: letters of all scripts are accepted, as in the standard's reference implementation", () => {
  const lock = { formatVersion: 1, skills: { ü: { source: "x", digest } } };
  expect(parseLockFile(JSON.stringify(lock))).toEqual(lock);
});

test("invalid JSON is refused with a remedy", () => {
  expect(() => parseLockFile("<<<<<<< ours")).toThrow(/is not valid JSON\. Restore it from version control/);
});

test("a skill is locked with its digest, and with its version if the source keeps versions", async () => {
  const repository = memoryRepository({ skills: { pdf: SKILL } });
  const { digest: current } = await repository.load("pdf");
  expect(await lockSkill("pdf", "./a", repository)).toEqual({ source: "./a", digest: current });
  const versioned = {
    ...repository,
    load: async (name: string) => ({ ...(await repository.load(name)), version: "7" }),
  };
  expect(await lockSkill("pdf", "s3://b", versioned)).toEqual({
    source: "s3://b",
    version: "7",
    digest: current,
  });
  const commit = "a".repeat(40);
  const committed = { ...repository, commit: async () => commit };
  expect(await lockSkill("pdf", "git+x", committed)).toEqual({
    source: "git+x",
    version: commit,
    digest: current,
  });
});
