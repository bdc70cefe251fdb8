import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type CliOptions, runCli } from "../src/index.js";

export interface CliOutcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CliFixture {
  /** The working directory of the commands. */
  readonly project: string;
  readonly home: string;
  /** Writes files below the fixture's root; those with `#!` become executable. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
  cli(argv: readonly string[], changes?: Partial<CliOptions> & { terminal?: number }): Promise<CliOutcome>;
}

/** A project and a home directory, removed after the test. */
export async function cliFixture(files: Readonly<Record<string, string>> = {}): Promise<CliFixture> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "skillwright-cli-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const project = join(root, "project");
  const home = join(root, "home");
  await Promise.all([mkdir(project), mkdir(home)]);
  const fixture: CliFixture = {
    project,
    home,
    async write(more) {
      for (const [path, text] of Object.entries(more)) {
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), text);
        if (text.startsWith("#!")) await chmod(join(root, path), 0o755);
      }
    },
    async cli(argv, { terminal, ...changes } = {}) {
      const out: string[] = [];
      const err: string[] = [];
      const screen = terminal === undefined ? {} : { isTTY: true, columns: terminal };
      const code = await runCli(argv, {
        stdout: { write: (text) => out.push(text), ...screen },
        stderr: { write: (text) => err.push(text), ...screen },
        cwd: project,
        env: { PATH: process.env["PATH"], HOME: home, TERM: "xterm" },
        ...changes,
      });
      return { code, out: out.join(""), err: err.join("") };
    },
  };
  await fixture.write(files);
  return fixture;
}

export function skill(name: string, description = `Does ${name}.`, body = "Do it."): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;
}
