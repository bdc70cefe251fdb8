import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { SKILL_FILE } from "./hostile/hostile-case.js";
import { rawZip } from "./raw/raw-zip.js";
import { temporaryDirectory } from "./temporary-directory.js";

const script = fileURLToPath(new URL("children/unpack.mjs", import.meta.url));

if (hasAll("packages/archive/dist"))
  test("unpacking that is killed before any of its calls leaves complete skills and one hidden directory", async () => {
    let killAt = 1;
    for (let isKilled = true; isKilled; killAt++) {
      await using outside = await temporaryDirectory();
      const archive = join(outside.path, "a.skill");
      const skills = join(outside.path, "skills");
      await writeFile(archive, rawZip([{ name: "demo/new.txt" }, { ...SKILL_FILE, name: "demo/SKILL.md" }]));
      await mkdir(join(skills, "demo"), { recursive: true });
      await writeFile(join(skills, "demo", "SKILL.md"), "old");
      isKilled = diesAt(killAt, archive, skills);
      const names = await readdir(skills);
      const shown = names.filter((name) => !name.startsWith(".skillwright-unpack-"));
      expect(names.length - shown.length).toBeLessThanOrEqual(isKilled ? 1 : 0);
      if (shown.length > 0) await expectWhole(join(skills, "demo"));
      // Between the two renames the complete old skill is in the hidden directory.
      else await expectWhole(join(skills, names[0] ?? "", "replaced"));
    }
    expect(killAt).toBeGreaterThan(8);
  });

async function expectWhole(folder: string): Promise<void> {
  const isOld = (await readFile(join(folder, "SKILL.md"), "utf8")) === "old";
  expect((await readdir(folder)).sort()).toEqual(isOld ? ["SKILL.md"] : ["SKILL.md", "new.txt"]);
}

function diesAt(killAt: number, archive: string, directory: string): boolean {
  const env = { ...process.env, KILL_AT: String(killAt) };
  const { status, signal, stderr } = spawnSync(process.execPath, [script, archive, directory], { env });
  if (signal !== "SIGKILL" && status !== 0) throw new Error(`The child ended with ${status}: ${stderr}`);
  return signal === "SIGKILL";
}
