import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SkillError } from "@skillwright/core";
import { localRuntime } from "@skillwright/runtime-local";
import { afterAll, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { removeTree } from "../src/storage/remove-tree.js";
import { owned } from "./owned.js";

const withCode = (code: string) => expect.toSatisfy((error) => SkillError.is(error, code as never));

const base = realpathSync(mkdtempSync(join(tmpdir(), "skillwright-refused-")));
const folder = join(base, "project");
mkdirSync(folder);
owned(folder);
writeFileSync(join(base, "file"), "");
afterAll(() => removeTree(base));

test("refuses a folder of the user without a sandbox", async () => {
  const runtime = localRuntime({ root: join(base, "none"), isolation: "none", hostFolder: { path: folder } });
  await using _open = runtime;
  await expect(runtime.create("w")).rejects.toThrow(withCode("UNSUPPORTED"));
  await expect(runtime.create("w")).rejects.toThrow(
    'there is none: isolation "none" was requested. Ask for a sandbox, or leave out hostFolder.',
  );
});

if (hasAll("bubblewrap"))
  test("refuses a folder of the user around the workspaces", async () => {
    const runtime = localRuntime({ root: join(folder, "root"), hostFolder: { path: folder } });
    await using _open = runtime;
    await expect(runtime.create("w")).rejects.toThrow(withCode("CONFIG_INVALID"));
  });

test.each([
  ["the root directory", "/"],
  ["the home directory", homedir()],
  ["a folder around the home directory", dirname(homedir())],
  ["a relative path", "project"],
  ["a file", join(base, "file")],
  ["a missing folder", join(base, "missing")],
])("refuses %s as the user's folder", (_what, path) => {
  expect(() => localRuntime({ hostFolder: { path } })).toThrow(withCode("CONFIG_INVALID"));
});
