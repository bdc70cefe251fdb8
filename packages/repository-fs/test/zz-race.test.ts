import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { skillMarkdown } from "@skillwright/core/testing";
import { expect, test } from "vitest";
import { fsRepository } from "../src/index.js";
import { temporaryDirectory, writeSkills } from "./fs-subject.js";

test("race", async () => {
  const { root } = await temporaryDirectory();
  await writeSkills(root, { demo: { "SKILL.md": skillMarkdown("demo"), "a.txt": "a" } });
  let hits = 0;
  const target: any = fs;
  const original = fs.lstatSync;
  target.lstatSync = (path: any, ...more: any[]) => {
    const before = String(path) === join(root, "demo/SKILL.md") && hits++ === 0;
    if (!before) return (original as any)(path, ...more);
    fs.renameSync(join(root, "demo"), join(root, ".skillwright-making-x"));
    try {
      return (original as any)(path, ...more);
    } finally {
      fs.renameSync(join(root, ".skillwright-making-x"), join(root, "demo"));
    }
  };
  syncBuiltinESMExports();
  try {
    const { skills, diagnostics } = await fsRepository({ root }).list();
    console.log(hits, skills.map(({ name }) => name), JSON.stringify(diagnostics));
  } finally {
    target.lstatSync = original;
    syncBuiltinESMExports();
  }
  expect(hits).toBeGreaterThan(0);
});
