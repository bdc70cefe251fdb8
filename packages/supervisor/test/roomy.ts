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
import { onTestFinished } from "vitest";
import { markedProcesses } from "./marked-processes.js";
import { ownProgram } from "./supervised.js";

export const PLENTY = 2 ** 50;

/** A recorded run whose host reads what `run` tells about its room. Its directory is on a disk. */
export function roomy(bytes: number, inodes: number, command: string) {
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
