import type { SkillRepository } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { skillFile, skillFiles } from "./skill-file.js";

const files = (name: string, body?: string) => [
  { path: "SKILL.md", content: skillFile(name, undefined, body)["SKILL.md"] },
];

function box() {
  const memory = memoryRepository({ skills: skillFiles("alpha") });
  const readOnly = memoryRepository({ skills: skillFiles("fixed") });
  const { upload: _u, delete: _d, restore: _r, deleted: _l, ...rest } = readOnly;
  const catalogue = skillBox({ own: memory, bundled: rest as SkillRepository });
  const told = { count: 0 };
  const subscription = catalogue.subscribe(() => void told.count++);
  return { memory, catalogue, told, subscription };
}

describe("changing skills", () => {
  test("an upload is in the next snapshot, and listeners are notified once", async () => {
    const { catalogue, told } = box();
    await catalogue.snapshot();
    expect((await catalogue.upload("own", files("beta"))).name).toBe("beta");
    expect((await catalogue.snapshot()).skills.map(({ name }) => name)).toEqual(["alpha", "beta", "fixed"]);
    expect(told.count).toBe(1);
  });

  test("a delete is reported; deleting nothing is not", async () => {
    const { catalogue, told } = box();
    expect(await catalogue.delete("own", "alpha")).toBe(true);
    expect(await catalogue.delete("own", "alpha")).toBe(false);
    expect((await catalogue.snapshot()).skills.map(({ name }) => name)).toEqual(["fixed"]);
    expect(told.count).toBe(1);
  });

  test("a refused upload changes nothing and notifies nobody", async () => {
    const { catalogue, told } = box();
    const upload = catalogue.upload("own", files("alpha"), { existing: "refuse" });
    await expect(upload).rejects.toMatchObject({ code: "SKILL_EXISTS" });
    expect(told.count).toBe(0);
  });

  test("a read-only source is UNSUPPORTED, an unknown source is named with the valid ones", async () => {
    const { catalogue } = box();
    await expect(catalogue.upload("bundled", files("beta"))).rejects.toMatchObject({ code: "UNSUPPORTED" });
    await expect(catalogue.delete("bundled", "fixed")).rejects.toMatchObject({ code: "UNSUPPORTED" });
    await expect(catalogue.restore("bundled", "fixed")).rejects.toMatchObject({ code: "UNSUPPORTED" });
    await expect(catalogue.upload("mine", files("beta"))).rejects.toMatchObject({
      code: "INPUT_INVALID",
      message: 'There is no skill source "mine". Choose "own", "bundled".',
    });
  });

  test("refresh reaches every source even if one fails, and the failure is thrown", async () => {
    const refreshed: string[] = [];
    const source = (name: string, fails: boolean): SkillRepository => ({
      ...memoryRepository(),
      refresh: async () => {
        refreshed.push(name);
        if (fails) throw new Error("gone");
      },
    });
    const catalogue = skillBox({ a: source("a", true), b: source("b", false) });
    await expect(catalogue.refresh()).rejects.toThrow("gone");
    expect(refreshed).toEqual(["a", "b"]);
    await catalogue.refresh("b");
    expect(refreshed).toEqual(["a", "b", "b"]);
  });
});

describe("subscribe", () => {
  test("reports an external change when a snapshot finds it, once", async () => {
    const { memory, catalogue, told } = box();
    await catalogue.snapshot();
    await catalogue.snapshot();
    expect(told.count).toBe(0);
    await memory.upload(files("alpha", "changed elsewhere"));
    await catalogue.snapshot();
    await catalogue.snapshot();
    expect(told.count).toBe(1);
  });

  test("ends when it is closed, even twice", async () => {
    const { catalogue, told, subscription } = box();
    await subscription.close();
    await subscription.close();
    await catalogue.refresh();
    expect(told.count).toBe(0);
  });

  test("a listener that throws stops neither the others nor the call", async () => {
    const { catalogue, told } = box();
    const warned = new Promise<Error>((resolve) => process.once("warning", resolve));
    catalogue.subscribe(() => {
      throw new Error("mine");
    });
    const after = { count: 0 };
    catalogue.subscribe(() => void after.count++);
    await catalogue.refresh();
    expect([told.count, after.count]).toEqual([1, 1]);
    expect((await warned).message).toContain("mine");
  });
});

test("close leaves the repositories open; later calls fail with CLOSED", async () => {
  let closed = 0;
  const memory = memoryRepository({ skills: skillFiles("alpha") });
  const catalogue = skillBox({ own: { ...memory, close: async () => void closed++ } });
  await catalogue.close();
  await catalogue.close();
  expect(closed).toBe(0);
  await expect(catalogue.snapshot()).rejects.toMatchObject({ code: "CLOSED" });
  await expect(catalogue.load("alpha")).rejects.toMatchObject({ code: "CLOSED" });
});
