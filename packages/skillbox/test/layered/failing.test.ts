import type { SkillRepository } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { layered } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { skillFiles } from "../skill-file.js";

const working = () => memoryRepository({ skills: skillFiles("alpha", "shared") });

function failing(label = "bucket"): SkillRepository {
  const refused = () => Promise.reject(new Error("connection refused"));
  const calls = { list: refused, find: refused, load: refused, open: refused, reader: refused };
  return { ...memoryRepository(), label, ...calls };
}

describe("a layer that fails", () => {
  test("is a diagnostic of the list and hides no other, in any position", async () => {
    for (const repository of [layered(failing(), working()), layered(working(), failing())]) {
      const { skills, diagnostics } = await repository.list();
      expect(skills.map(({ name }) => name)).toEqual(["alpha", "shared"]);
      expect(diagnostics).toMatchObject([{ code: "repository.failed", severity: "error" }]);
      expect(diagnostics[0]?.message).toMatch(/"bucket".*BACKEND_FAILED.*connection refused/);
    }
  });

  test("is an error of load, open and reader where a later one has the name", async () => {
    const repository = layered(failing(), working());
    const failed = { code: "BACKEND_FAILED", message: expect.stringContaining("bucket") };
    await expect(repository.load("shared")).rejects.toMatchObject(failed);
    await expect(repository.open("shared", "SKILL.md")).rejects.toMatchObject(failed);
    await expect(repository.reader("shared")).rejects.toMatchObject(failed);
  });

  test("is not asked where an earlier one has the name", async () => {
    const repository = layered(working(), failing());
    expect((await repository.load("shared")).name).toBe("shared");
    await expect(repository.load("nobody")).rejects.toMatchObject({ code: "BACKEND_FAILED" });
  });

  test("a layer that fails to load is an error, even if a later one could load", async () => {
    const stronger = { ...working(), load: () => Promise.reject(new Error("half there")) };
    await expect(layered(stronger, working()).load("shared")).rejects.toThrow("half there");
  });
});

test("refresh reaches every layer even if one fails, and the failure is thrown", async () => {
  const refreshed: string[] = [];
  const layer = (name: string, fails: boolean): SkillRepository => ({
    ...working(),
    refresh: async () => {
      refreshed.push(name);
      if (fails) throw new Error("gone");
    },
  });
  await expect(layered(layer("a", true), layer("b", false)).refresh()).rejects.toThrow("gone");
  expect(refreshed).toEqual(["a", "b"]);
});

test("list ends with ABORTED while a layer does not answer", async () => {
  const controller = new AbortController();
  const list = () => new Promise<never>(() => undefined);
  const listing = layered(working(), { ...working(), list }).list({ signal: controller.signal });
  controller.abort();
  await expect(listing).rejects.toMatchObject({ code: "ABORTED" });
});
