import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { markedProcesses } from "./marked-processes.js";
import { ownProgram } from "./supervised.js";

const PLENTY = 2 ** 50;

/** A recorded run whose host reads what `run` tells about its room. Its directory is on a disk. */
function roomy(bytes: number, inodes: number, command: string) {
  const root = mkdtempSync("/var/tmp/supervisor-");
  const [record, files] = [join(root, "record"), join(root, "files")];
  for (const directory of [record, files]) mkdirSync(directory);
  const marked = markedProcesses();
  const room = ["--room", `${files}=${bytes}:${inodes}`];
  const args = [
    "run",
    "--files",
    "--record",
    record,
    ...room,
    "--cwd",
    files,
    "--",
    "/bin/bash",
    "-c",
    command,
  ];
  const child = spawn(ownProgram, args, { stdio: ["ignore", "pipe", "inherit"], env: marked.env });
  onTestFinished(() => {
    child.kill();
    rmSync(root, { recursive: true });
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    files: () => readdirSync(files),
    text: (name: string) => readFileSync(join(files, name), "utf8"),
    held: async () => {
      for (;;) {
        const { done, value } = await lines.next();
        if (done || value === "held") return !done;
      }
    },
    tell: (line: string) => {
      try {
        const pipe = openSync(join(record, "control"), constants.O_WRONLY | constants.O_NONBLOCK);
        writeSync(pipe, `${line}\n`);
        closeSync(pipe);
      } catch (error) {
        // No supervisor reads the pipe any more: the command ended by itself while its descendants were being held.
        if ((error as NodeJS.ErrnoException).code !== "ENXIO") throw error;
      }
    },
    states: () => marked.alive(child.pid).map((line) => stateOf(parseInt(line, 10))),
    leave: () => child.stdout.destroy(),
    report: () => readFileSync(join(record, "report"), "utf8").split("\n"),
    ended: once(child, "exit"),
  };
}

function stateOf(pid: number): string | undefined {
  return /^State:\s+(\S)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
}

if (hasAll("supervisor"))
  describe("a run with room for a part of what it writes", () => {
    const megabytes = (count: number) => `for i in {1..${count}}; do head -c 1000000 /dev/zero > f$i; done`;

    test("is held as a whole when it has used its room, and goes on when it is given more", async () => {
      const run = roomy(8_000_000, PLENTY, `(while :; do :; done) & ${megabytes(40)}; kill $!`);
      expect(await run.held()).toBe(true);
      const { length } = run.files();
      // Processes of others on this disk may have used a part of the room.
      expect(length).toBeLessThan(30);
      expect(run.states().length).toBeGreaterThanOrEqual(2);
      expect(new Set(run.states())).toEqual(new Set(["T"]));
      run.tell(`room ${PLENTY} ${PLENTY}`);
      await run.ended;
      expect(run.files()).toHaveLength(40);
      expect(run.report()).toEqual(expect.arrayContaining(["ended exit 0", "gone"]));
    });

    test("is held by its number of files, again and again", async () => {
      const run = roomy(PLENTY, 2000, "for ((i=0;i<9000;i++)); do : > $i; done");
      let times = 0;
      const answers = (async () => {
        for (; await run.held(); times++) run.tell(`room ${PLENTY} 2000`);
      })();
      await run.ended;
      await answers;
      expect(times).toBeGreaterThanOrEqual(2);
      expect(run.files()).toHaveLength(9000);
    });

    test("is ended while it is held, and none of its processes runs before that", async () => {
      const run = roomy(8_000_000, PLENTY, `${megabytes(40)}; : > all`);
      await run.held();
      const before = run.files();
      run.tell("end");
      await run.ended;
      expect(run.files()).toEqual(before);
      expect(run.report()).toEqual(expect.arrayContaining(["asked end", "ended signal 9", "gone"]));
    });

    test("is resumed as a whole, also with processes that start, end and lose their parents while it is being held", async () => {
      const run = roomy(PLENTY, 20, "for i in {1..900}; do ( (: > $i; : | :) & ) & done; wait");
      const answers = (async () => {
        while (await run.held()) run.tell(`room ${PLENTY} 20`);
      })();
      await run.ended;
      await answers;
      expect(run.report()).toContain("ended exit 0");
    });

    test("does not wait for a host that has left", async () => {
      const run = roomy(8_000_000, PLENTY, megabytes(40));
      await run.held();
      run.leave();
      await run.ended;
      expect(run.files()).toHaveLength(40);
      const alone = roomy(8_000_000, PLENTY, megabytes(40));
      alone.leave();
      await alone.ended;
      expect(alone.files()).toHaveLength(40);
    });

    test("resumes no process that the command itself has stopped, and its shell sees none of the others stop", async () => {
      const run = roomy(
        8_000_000,
        PLENTY,
        `set -m; sleep 1000 & kill -STOP $!; ${megabytes(40)}; grep -c '^State:.T' /proc/$!/status > state; kill -9 $!`,
      );
      await run.held();
      run.tell(`room ${PLENTY} ${PLENTY}`);
      await run.ended;
      expect(run.files()).toHaveLength(41);
      expect(run.text("state")).toBe("1\n");
    });
  });
