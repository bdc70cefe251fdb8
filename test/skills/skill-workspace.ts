import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { afterAll } from "vitest";
import { root, skillFiles } from "./bundled-skill.js";

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface SkillWorkspace {
  /** Runs a command in the skill's directory, in the shell and with the variables of a workspace; no other environment. */
  run(command: string): Ran;
  /** Puts a file into `inputs/`. */
  input(name: string, content: string | Uint8Array): void;
  /** Reads a file of `out/` as text. */
  output(name: string): string;
  hasOutput(name: string): boolean;
  /** Files in the staged skill that were not there before; there must never be any. */
  strayFiles(): string[];
}

/** Stages one skill as in a workspace: read-only, with links to `out`, `work` and `inputs` beside it. */
export function skillWorkspace(skill: string): SkillWorkspace {
  const workspace = mkdtempSync(`${tmpdir()}/skillwright-skills-`);
  const directory = `${workspace}/skills/${skill}`;
  for (const folder of ["out", "work/inputs", "skills"])
    mkdirSync(`${workspace}/${folder}`, { recursive: true });
  cpSync(`${root}/skills/${skill}`, directory, { recursive: true });
  symlinkSync("../../out", `${directory}/out`);
  symlinkSync("../../work", `${directory}/work`);
  symlinkSync("../../work/inputs", `${directory}/inputs`);
  for (const folder of ["", "/scripts"])
    if (existsSync(directory + folder)) chmodSync(directory + folder, 0o555);

  afterAll(() => {
    for (const folder of ["", "/scripts"])
      if (existsSync(directory + folder)) chmodSync(directory + folder, 0o755);
    rmSync(workspace, { recursive: true });
  });
  return {
    run(command) {
      const { status, stdout, stderr } = spawnSync("bash", ["--noprofile", "--norc", "-c", command], {
        cwd: directory,
        encoding: "utf8",
        env: { PATH: process.env["PATH"] ?? "", HOME: `${workspace}/work`, LANG: "C.UTF-8" },
        timeout: 240_000,
      });
      return { code: status, stdout, stderr };
    },
    input: (name, content) => writeFileSync(`${workspace}/work/inputs/${name}`, content),
    output: (name) => readFileSync(`${workspace}/out/${name}`, "utf8"),
    hasOutput: (name) => existsSync(`${workspace}/out/${name}`),
    strayFiles() {
      const own = new Set(skillFiles(skill));
      const { stdout } = spawnSync("find", [".", "-type", "f"], { cwd: directory, encoding: "utf8" });
      return stdout.split("\n").filter((path) => path !== "" && !own.has(path.slice(2)));
    },
  };
}
