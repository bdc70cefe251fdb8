import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { resolveDirectory } from "../src/files/resolve-directory.js";
import { temporaryDirectory } from "./local-subject.js";

/** The root as commands see it. */
const ROOT = "/workspace";
let base: string;

beforeEach(async () => {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  base = realpathSync(path);
  mkdirSync(join(base, "work/a/b"), { recursive: true });
  mkdirSync(join(base, "out"));
  writeFileSync(join(base, "work/file"), "");
});

/** The resolved path below the root, or the code of the error. */
function resolved(path: string): string {
  try {
    const place = resolveDirectory(path, { root: ROOT, locate: (parts) => ({ base, prefix: "", parts }) });
    expect(place.base).toBe(base);
    return place.parts.join("/");
  } catch (error) {
    if (SkillError.is(error)) return error.code;
    throw error;
  }
}

const link = (path: string, target: string) => symlinkSync(target, join(base, path));

test("a directory without links is itself", () => {
  expect([".", "work", "work/a/b"].map(resolved)).toEqual(["", "work", "work/a/b"]);
});

test("a file, a missing directory and a path that is none are refused", () => {
  expect(["work/file", "work/file/x", "work/none", "work/none/x", "../x", "/work"].map(resolved)).toEqual([
    "PATH_INVALID",
    "PATH_INVALID",
    "FILE_NOT_FOUND",
    "FILE_NOT_FOUND",
    "PATH_OUTSIDE",
    "PATH_OUTSIDE",
  ]);
});

test.each([
  ["a", "work/a"],
  ["./a//b/.", "work/a/b"],
  ["../out", "out"],
  ["a/../../out", "out"],
  [`${ROOT}/out`, "out"],
  [`${ROOT}/work/a`, "work/a"],
  [`${ROOT}/`, ""],
  [ROOT, ""],
])("a link to %s inside the workspace is followed to %j", (target, expected) => {
  link("work/l", target);
  expect(resolved("work/l")).toBe(expected);
});

test("what follows a link is looked for below its target", () => {
  link("work/l", "a");
  link("out/w", `${ROOT}/work`);
  expect([resolved("work/l/b"), resolved("out/w/l/b"), resolved("work/l/out")]).toEqual([
    "work/a/b",
    "work/a/b",
    "FILE_NOT_FOUND",
  ]);
});

test.each(["../..", "/", "/etc", `${ROOT}2/out`, `${ROOT}/../etc`, "a/../../../out"])(
  "a link to %s leads out and is refused",
  (target) => {
    link("work/l", target);
    expect(resolved("work/l")).toBe("PATH_OUTSIDE");
  },
);

test("40 links are followed, and more or a circle of them are refused", () => {
  link("out/1", "../work/a");
  for (let number = 2; number <= 41; number++) link(`out/${number}`, String(number - 1));
  expect([resolved("out/40"), resolved("out/41")]).toEqual(["work/a", "PATH_OUTSIDE"]);
  link("work/round", "round");
  expect(resolved("work/round")).toBe("PATH_OUTSIDE");
});

test("the refusal of a link names the directory that was asked for", () => {
  link("work/l", "/etc");
  const asked = () =>
    resolveDirectory("work/l", { root: ROOT, locate: (parts) => ({ base, prefix: "", parts }) });
  expect(asked).toThrow("The directory work/l leads out of the workspace through a symlink.");
  expect(asked).toThrow(expect.objectContaining({ details: { path: "work/l" } }));
});
