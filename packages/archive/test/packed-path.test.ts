import { expect, test } from "vitest";
import { isPackedPath } from "../src/index.js";

test.each([
  "SKILL.md",
  "scripts/run.py",
  "references/evals/a.md",
  "evals",
  ".env.example",
  "assets/.keep",
  "node_modules.md",
  ".github/workflows/ci.yml",
])("%s is packed", (path) => {
  expect(isPackedPath(path)).toBe(true);
});

test.each([
  "evals/evals.json",
  "scripts/__pycache__/a.cpython-312.pyc",
  "a.pyc",
  "scripts/node_modules/x/index.js",
  ".git/config",
  ".git",
  "sub/.svn/entries",
  ".DS_Store",
  "assets/.DS_Store",
  "assets/._logo.png",
  "__MACOSX/a",
  "Thumbs.db",
  ".venv/bin/python",
])("%s is left out of an archive", (path) => {
  expect(isPackedPath(path)).toBe(false);
});
