import { spawn } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { commandLine } from "../src/terminal/command-line.js";

const program = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const repository = fileURLToPath(new URL("../../../", import.meta.url));

describe("the command line", () => {
  test("accepts folders and files, one per option, and joins the remaining words", () => {
    const args = ["--skills", "a", "Count", "--skills", "b", "this", "--chat", "--file", "x", "--no-stream"];
    expect(commandLine(args, "1")).toEqual({
      request: "Count this",
      chat: true,
      skills: ["a", "b"],
      files: ["x"],
      yes: false,
      stream: false,
      open: true,
    });
  });

  test("the help names the configuration file and the page of its fields", () => {
    const shown: string[] = [];
    const parse = () =>
      commandLine(["--help"], "1", (command) =>
        command.exitOverride().configureOutput({ writeOut: (text) => void shown.push(text) }),
      );
    expect(parse).toThrow("outputHelp");
    expect(shown.join("")).toMatch(
      /~\/\.skillwright\/skillwright\.config\.json[\s\S]*docs\/agent-configuration\.md/,
    );
  });

  test("refuses unknown options and refers to the help", () => {
    const errors: string[] = [];
    const parse = (...args: string[]) =>
      commandLine(args, "1", (command) =>
        command.exitOverride().configureOutput({ writeErr: (text) => void errors.push(text) }),
      );
    expect(() => parse("--isolation", "maybe")).toThrow(/auto, sandbox, none/);
    expect(() => parse("--modle", "x")).toThrow(/unknown option/);
    expect(errors.join("")).toContain("--help");
  });
});

if (hasAll("apps/agent/dist")) programTests();

function programTests(): void {
  describe("the built program with the bundled skills", () => {
    test("without arguments it analyses data/orders.csv and leaves the report among the artifacts", async () => {
      const folder = await project();
      const { code, stdout } = await run(folder, []);
      expect(stdout).toMatch(
        /offline planner[\s\S]*isolation[\s\S]*upload[\s\S]*skill_load {2}csv-analyst[\s\S]*exit code 0/,
      );
      const saved = /^ {2}(\/.*\.md)$/m.exec(stdout)?.[1] ?? "";
      expect(await readFile(saved, "utf8")).toMatch(/^# Report on orders\.csv/);
      expect(saved.startsWith(join(folder, "artifacts"))).toBe(true);
      expect(code).toBe(0);
    });

    test("the chat reads piped lines", async () => {
      const { code, stdout } = await run(
        await project(),
        ["--chat"],
        "/skills\n/upload data/orders.csv\nanalyse it\n/quit\n",
      );
      expect(stdout).toMatch(/csv-analyst bundled[\s\S]*inputs\/orders\.csv[\s\S]*# Report on orders\.csv/);
      expect(code).toBe(0);
    });

    test("without Python, skills that need it are skipped with a message", async () => {
      const folder = await project();
      const { stdout } = await run(folder, ["--chat"], "/quit\n", { PATH: join(folder, "data") });
      expect(stdout).toMatch(/"python-math" is left out: it needs "python3".*PATH/);
    });

    test("a model without its key, a missing file, an unknown option: exit code 1 and the remedy", async () => {
      const folder = await project();
      expect(await run(folder, ["--model", "openai:x"])).toMatchObject({
        code: 1,
        stdout: expect.stringContaining("export OPENAI_API_KEY"),
      });
      expect(await run(folder, ["--file", "gone.csv"])).toMatchObject({
        code: 1,
        stdout: expect.stringContaining("There is no file gone.csv"),
      });
      expect(await run(folder, ["--wrong"])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("--help"),
      });
    });

    test("a reader that stops ends it without error output", async () => {
      const child = start(await project(), []);
      child.stdin.end();
      child.stdout.once("data", () => child.stdout.destroy());
      const ended = new Promise((resolve) => child.on("close", resolve));
      expect(await text(child.stderr)).toBe("");
      expect(await ended).toBe(141);
    });

    test("SIGTERM ends it, and no workspace is left behind", async () => {
      const folder = await project();
      const temporary = join(folder, "tmp");
      await mkdir(temporary);
      const child = start(folder, ["--chat"], { TMPDIR: temporary });
      child.stdin.write("/upload data/orders.csv\n");
      const ended = new Promise((resolve) => child.on("close", resolve));
      child.stdout.on("data", (piece) => {
        if (String(piece).includes("inputs/orders.csv")) child.kill("SIGTERM");
      });
      expect(await ended).toBe(143);
      const left = await readdir(temporary, { recursive: true });
      expect(left.filter((path) => path.includes("orders"))).toEqual([]);
    });
  });
}

async function project(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skillwright-agent-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "data"));
  await copyFile(join(repository, "data/orders.csv"), join(folder, "data/orders.csv"));
  return folder;
}

function start(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const fixed = { PATH: process.env["PATH"], HOME: join(cwd, "home"), TMPDIR: tmpdir() };
  return spawn(process.execPath, [program, ...args], { cwd, env: { ...fixed, ...env } });
}

async function run(
  cwd: string,
  args: readonly string[],
  stdin = "",
  env: Readonly<Record<string, string>> = {},
) {
  const child = start(cwd, args, env);
  child.stdin.end(stdin);
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, stderr };
}
