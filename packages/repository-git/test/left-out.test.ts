import { skillMarkdown } from "@skillwright/contracts";
import { readText } from "@skillwright/core";
import { expect, onTestFinished, test } from "vitest";
import { type GitRepositoryOptions, gitRepository } from "../src/index.js";
import { origin } from "./git-subject.js";

test("installed packages are not part of a skill and are reported once, and an option says which directories are left out", async () => {
  const many = Array.from({ length: 600 }, (_, index) => [`.venv/lib/f${index}.py`, "x = 1\n"]);
  const place = await origin({
    packed: {
      "SKILL.md": skillMarkdown("packed"),
      "run.py": "1",
      venv: "a file",
      ...Object.fromEntries(many),
    },
  });
  onTestFinished(place.dispose);
  const opened = (options: Partial<GitRepositoryOptions> = {}) =>
    gitRepository({ url: place.directory, cache: place.cache, allowLocal: true, ...options });
  const { skills, broken } = await opened().list();
  expect([skills.length, broken]).toEqual([1, []]);
  expect(skills[0]?.diagnostics).toMatchObject([{ code: "file.installed", severity: "info", path: ".venv" }]);
  const { manifest } = await opened().load("packed");
  expect(manifest.files.map(({ path }) => path)).toEqual(["SKILL.md", "run.py", "venv"]);
  await expect(opened().open("packed", ".venv/lib/f1.py")).rejects.toMatchObject({
    code: "FILE_NOT_FOUND",
  });

  expect((await opened({ leaveOut: [] }).list()).broken[0]?.diagnostics[0]?.code).toBe(
    "skill.too-many-files",
  );
  const whole = opened({ leaveOut: [], limits: { files: 1000 } });
  expect((await whole.load("packed")).manifest.files).toHaveLength(603);
  expect(await readText(await whole.open("packed", ".venv/lib/f1.py"), 100)).toBe("x = 1\n");
  const small = await opened({ limits: { bytes: 10 } }).list();
  expect(small.broken[0]?.diagnostics[0]?.code).toBe("skill.too-large");
});
