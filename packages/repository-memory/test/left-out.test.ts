import { skillMarkdown } from "@skillwright/contracts";
import { readText } from "@skillwright/core";
import { expect, test } from "vitest";
import { memoryRepository } from "../src/index.js";

const SKILLS = {
  packed: {
    "SKILL.md": skillMarkdown("packed"),
    "run.py": "1",
    venv: "a file",
    ".venv/lib/a.py": "x = 1\n",
    ".venv/lib/b.py": "x = 1\n",
    "web/node_modules/c/index.js": "c",
  },
};

test("installed packages are not part of a skill and each directory is reported once", async () => {
  const repository = memoryRepository({ skills: SKILLS });
  const { manifest, diagnostics } = await repository.load("packed");
  expect(manifest.files.map(({ path }) => path)).toEqual(["SKILL.md", "run.py", "venv"]);
  expect(diagnostics).toMatchObject([
    { code: "file.installed", severity: "info", path: ".venv" },
    { code: "file.installed", severity: "info", path: "web/node_modules" },
  ]);
  const missing = { code: "FILE_NOT_FOUND" };
  await expect(repository.open("packed", ".venv/lib/a.py")).rejects.toMatchObject(missing);
  const read = await repository.reader?.("packed");
  await expect(read?.(".venv/lib/a.py")).rejects.toMatchObject(missing);
});

test("leaveOut names other directories, or none", async () => {
  const whole = memoryRepository({ skills: SKILLS, leaveOut: [] });
  expect((await whole.load("packed")).manifest.files).toHaveLength(6);
  expect(await readText(await whole.open("packed", ".venv/lib/a.py"), 100)).toBe("x = 1\n");
  const other = memoryRepository({ skills: SKILLS, leaveOut: ["web"] });
  const { manifest, diagnostics } = await other.load("packed");
  expect(manifest.files).toHaveLength(5);
  expect(diagnostics).toMatchObject([{ code: "file.installed", path: "web" }]);
});

test("installed packages are not part of the digest", async () => {
  const { ".venv/lib/a.py": _, ...less } = SKILLS.packed;
  const [one, other] = [SKILLS, { packed: less }].map((skills) => memoryRepository({ skills }));
  expect((await one?.load("packed"))?.digest).toBe((await other?.load("packed"))?.digest);
});
