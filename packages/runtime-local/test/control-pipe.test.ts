import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tellSupervisor } from "../src/recorded/control-pipe.js";
import { temporaryDirectory } from "./local-subject.js";

const TIMES = 20_000;

test("no error is thrown where a supervisor ends while it is being told something", async () => {
  const { path, remove } = await temporaryDirectory();
  execFileSync("mkfifo", [join(path, "control")]);
  // The reading end of the pipe is opened and closed again and again.
  const reader = spawn("bash", ["-c", 'echo up; while :; do : < "$0"; done', join(path, "control")], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    await once(reader.stdout, "data");
    const told = new Set<boolean>();
    for (let time = 0; time < TIMES; time++) told.add(tellSupervisor(path, "end"));
    expect(told).toContain(false);
  } finally {
    reader.kill("SIGKILL");
    await once(reader, "exit");
    await remove();
  }
});
