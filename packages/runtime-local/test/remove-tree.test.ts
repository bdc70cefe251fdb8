import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeTree } from "../src/storage/remove-tree.js";

function directory(): string {
  const base = mkdtempSync(join(tmpdir(), "skillwright-remove-test-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  mkdirSync(join(base, "kept"));
  writeFileSync(join(base, "kept/file"), "kept");
  mkdirSync(join(base, "tree/a/b"), { recursive: true });
  return base;
}

test.each([1, 199, 200, 1000])("removes a tree with %d files", async (count) => {
  const base = directory();
  for (let n = 0; n < count; n++) writeFileSync(join(base, `tree/a/b/${n}`), "");
  await removeTree(join(base, "tree"));
  expect(readdirSync(base)).toEqual(["kept"]);
});

test("removes links, also in place of the tree, and not what they lead to", async () => {
  const base = directory();
  symlinkSync(join(base, "kept"), join(base, "tree/a/link"));
  symlinkSync(join(base, "kept"), join(base, "link"));
  await removeTree(join(base, "tree"));
  await removeTree(join(base, "link"));
  expect(readdirSync(base)).toEqual(["kept"]);
  expect(existsSync(join(base, "kept/file"))).toBe(true);
});

test("removes files whose names are not valid UTF-8", async () => {
  const base = directory();
  const name = Buffer.concat([Buffer.from(join(base, "tree/a/")), Buffer.from([0xff, 0xfe])]);
  writeFileSync(name, "");
  await removeTree(join(base, "tree"));
  expect(readdirSync(base)).toEqual(["kept"]);
});
