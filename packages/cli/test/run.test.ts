import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { RunResult } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { resultLines } from "../src/run/result-lines.js";
import { createStyle } from "../src/terminal/style.js";
import { cliFixture, skill } from "./cli-fixture.js";

const files = {
  "project/skills/count/SKILL.md": skill("count"),
  "project/skills/count/scripts/count.sh": '#!/bin/sh\nwc -l < "$1" | tr -d " "\n',
  "project/skills/other/SKILL.md": skill("other"),
  "project/data/rows.csv": "a\nb\nc\n",
};
const inSkill = ["run", "./skills/count", "--isolation", "auto"];

describe("run", () => {
  test("stages the skill and a file, prints the command's output and copies its outputs", async () => {
    const { cli, project } = await cliFixture(files);
    const { code, out, err } = await cli([
      ...inSkill,
      ...["--file", "data/rows.csv", "--out", "made"],
      "scripts/count.sh inputs/rows.csv | tee out/count.txt; mkdir out/deep; echo hi > out/deep/hi.md; echo told >&2",
    ]);
    expect({ code, out }).toEqual({ code: 0, out: "3\n" });
    expect(err).toContain("told\n");
    expect(err).toContain("inputs/rows.csv");
    expect(err).toContain(`-> ${project}/made/count.txt`);
    expect(err).toMatch(/✔ done after .*, isolation (none|namespace) \(.+\)/);
    expect(await readFile(join(project, "made/count.txt"), "utf8")).toBe("3\n");
    expect(await readFile(join(project, "made/deep/hi.md"), "utf8")).toBe("hi\n");
  });

  test("a script that may not be executed ends with 126 and a hint to its interpreter", async () => {
    const { cli } = await cliFixture({
      ...files,
      "project/skills/count/scripts/plain.sh": " #!/bin/sh\necho\n",
    });
    const { code, err } = await cli([...inSkill, "scripts/plain.sh"]);
    expect(code).toBe(126);
    expect(err).toContain("cannot be executed");
    expect(err).toContain("Run a script with its interpreter");
  });

  test("passes on standard input, and ends even if the command does not read it", async () => {
    const { cli } = await cliFixture(files);
    const stdin = Readable.from([Buffer.from("one\n"), Buffer.from("two\n")]);
    expect((await cli([...inSkill, "tr a-z A-Z"], { stdin })).out).toBe("ONE\nTWO\n");
    const endless = new Readable({ read: () => undefined });
    expect(await cli([...inSkill, "echo done"], { stdin: endless })).toMatchObject({
      code: 0,
      out: "done\n",
    });
    expect((await cli([...inSkill, "cat; echo empty"])).out).toBe("empty\n");
  });

  test("exits with the command's exit code", async () => {
    const { cli } = await cliFixture(files);
    const { code, err } = await cli([...inSkill, "exit 7"]);
    expect(code).toBe(7);
    expect(err).toContain("exit code 7");
    expect(err).not.toContain("warning The glob");
  });

  test("passes several arguments after -- unchanged, and a single one to the shell", async () => {
    const { cli } = await cliFixture(files);
    const words = await cli([...inSkill, "--", "printf", "%s|", "a b", "$HOME", "it's", "-x"]);
    expect(words.out).toBe("a b|$HOME|it's|-x|");
    expect((await cli([...inSkill, "A=1; echo $A $((1+1))"])).out).toBe("1 2\n");
  });

  test("--env sets variables, and nothing of this process is passed on", async () => {
    const { cli, home } = await cliFixture(files);
    const env = { PATH: process.env["PATH"], HOME: home, PRIVATE: "no" };
    const { out } = await cli([...inSkill, "--env", "GIVEN=a=b c", 'echo "$GIVEN,$PRIVATE"'], { env });
    expect(out).toBe("a=b c,\n");
    expect((await cli([...inSkill, "--env", "GIVEN", "true"])).err).toContain("NAME=value");
  });

  test("--timeout ends the command", async () => {
    const { cli } = await cliFixture(files);
    const { code, out, err } = await cli([...inSkill, "--timeout", "300ms", "echo begun; sleep 30"]);
    expect({ code, out }).toEqual({ code: 137, out: "begun\n" });
    expect(err).toContain("timed out");
  });

  test("runs a skill of the catalogue by its name", async () => {
    const { cli } = await cliFixture(files);
    const { code, out } = await cli([
      "run",
      "--skills",
      "skills",
      "--isolation",
      "auto",
      "other",
      "basename $PWD",
    ]);
    expect({ code, out }).toEqual({ code: 0, out: "other\n" });
  });

  test("refuses a missing file before anything runs", async () => {
    const { cli, project } = await cliFixture(files);
    const { code, out, err } = await cli([...inSkill, "--file", "nope.csv", "echo ran"]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(`${project}/nope.csv`);
  });

  test("an output that cannot be copied does not stop the others, and the exit code stays that of the command (RUN-15)", async () => {
    const { cli, project, write } = await cliFixture(files);
    await write({ "project/made/y/there": "" });
    const make = "echo 2 > out/x; echo 3 > out/y; echo 4 > out/z";
    const failed = await cli([...inSkill, "--out", "made", `${make}; exit 3`]);
    expect(failed.code).toBe(3);
    expect(failed.err).toMatch(/lost {2}out\/y .*EISDIR/);
    for (const [name, text] of Object.entries({ x: "2\n", z: "4\n" }))
      expect(await readFile(join(project, "made", name), "utf8")).toBe(text);
    expect((await cli([...inSkill, "--out", "made", make])).code).toBe(1);
  });

  test("an --out path that is not a folder is refused before the command runs", async () => {
    const { cli } = await cliFixture(files);
    const { code, out, err } = await cli([...inSkill, "--out", "data/rows.csv", "echo ran"]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("Give --out a folder that you can write to.");
  });

  test("--out never writes through a link", async () => {
    const { cli, project, home } = await cliFixture({ ...files, "home/precious": "kept" });
    await symlink(join(home, "precious"), join(project, "count.txt"));
    await symlink(home, join(project, "deep"));
    const through = await cli([...inSkill, "--out", ".", "echo 3 > out/count.txt"]);
    expect(through.code).toBe(0);
    expect(await readFile(join(home, "precious"), "utf8")).toBe("kept");
    expect(await readFile(join(project, "count.txt"), "utf8")).toBe("3\n");
    const into = await cli([...inSkill, "--out", ".", "mkdir out/deep; echo 3 > out/deep/precious"]);
    expect(into.code).toBe(1);
    expect(into.err).toContain("PATH_OUTSIDE");
    expect(await readFile(join(home, "precious"), "utf8")).toBe("kept");
  });

  test("RES-06: the last line has the CPU time and the memory that the command used, where they are known", () => {
    const output = { text: "", totalBytes: 0, truncated: false };
    const result = {
      ...{ runId: "r1", exitCode: 0, timedOut: false, aborted: false, durationMs: 2000, treeEnded: true },
      ...{ stdout: output, stderr: output, workspaceId: "w1", cwd: ".", outputs: [], diagnostics: [] },
      isolation: { level: "none", by: "asked for" },
    } as const;
    const last = (used: Partial<RunResult>) =>
      resultLines({ ...result, ...used }, [], [], createStyle(false)).at(-1);
    expect(last({})).toBe("✔ done after 2.0 s, isolation none (asked for)");
    expect(last({ peakMemoryBytes: 73_400_320, cpuMs: 1234.5 })).toBe(
      "✔ done after 2.0 s, 1.2 s of CPU time, up to 70.0 MiB of memory, isolation none (asked for)",
    );
    expect(last({ peakMemoryBytes: 73_400_320 })).toBe(
      "✔ done after 2.0 s, up to 70.0 MiB of memory, isolation none (asked for)",
    );
  });

  test("a signal ends the command with 130", async () => {
    const { cli } = await cliFixture(files);
    const stop = new AbortController();
    const stdout = { write: (text: string) => text.includes("begun") && stop.abort() };
    const { code, err } = await cli([...inSkill, "echo begun; sleep 30"], { stdout, signal: stop.signal });
    expect(code).toBe(130);
    expect(err).toContain("interrupted");
  });
});
