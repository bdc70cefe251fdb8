import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { inDirectory } from "../src/files/anchored-directory.js";

const made = vi.hoisted(() => ({ path: "" }));
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const openSync: typeof fs.openSync = (path, ...more) => {
    try {
      return fs.openSync(path, ...more);
    } catch (error) {
      fs.mkdirSync(made.path);
      throw error;
    }
  };
  return { ...fs, openSync };
});

test("a directory that another process makes right after it was not found counts as not found", async () => {
  const base = mkdtempSync(join(tmpdir(), "skillwright-directory-test-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  mkdirSync(join(base, "tree"));
  made.path = join(base, "tree/work");
  const place = { base: join(base, "tree"), prefix: "", parts: ["work"] };
  await expect(inDirectory(place, async () => undefined)).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
  await inDirectory(place, async () => undefined);
});
