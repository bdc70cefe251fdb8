import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { heldTimer } from "../../../test/timing/held-timer.js";
import { runTool } from "../src/host/run-tool.js";
import { temporaryDirectory } from "./local-subject.js";

test("a tool gets its inputs as descriptors from 3 on, and its output and exit code are returned", async () => {
  const inputs = [Buffer.from("first"), Buffer.from("second")];
  const text = 'cat <&3; echo " $PATH"; cat <&4 >&2; exit 7';
  expect(await runTool("/bin/sh", ["-c", text], { inputs })).toEqual({
    exitCode: 7,
    stdout: "first /usr/bin:/bin\n",
    stderr: "second",
    code: undefined,
    timedOut: false,
  });
});

test("a program that cannot be started is a result with the system's error code", async () => {
  const result = await runTool("/no/such/program", [], { inputs: [Buffer.from("unread")] });
  expect(result).toMatchObject({ exitCode: undefined, code: "ENOENT", timedOut: false });
});

test("a tool that takes too long is killed, also where its child keeps its output open", async () => {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  const timeoutMs = 123_456;
  const reachTimeout = heldTimer(timeoutMs);
  const text = `sleep 3600 & echo $! > '${path}/child'; echo begun; : > '${path}/begun'; wait`;
  const running = runTool("/bin/sh", ["-c", text], { timeoutMs });
  await expect.poll(() => existsSync(join(path, "begun"))).toBe(true);
  // What it printed is read within the next turn of the event loop.
  await setImmediate();
  await setImmediate();
  reachTimeout();
  const result = await running;
  process.kill(Number(readFileSync(join(path, "child"), "utf8")));
  expect(result).toMatchObject({ exitCode: undefined, stdout: "begun\n", timedOut: true });
});

test("a tool ended by a signal has no exit code", async () => {
  expect(await runTool("/bin/sh", ["-c", "kill -9 $$"])).toMatchObject({
    exitCode: undefined,
    timedOut: false,
  });
});

test("of a long output the first MiB is kept, and a tool that does not read its input does not fail", async () => {
  const inputs = [new Uint8Array(1024 * 1024)];
  const result = await runTool("/bin/sh", ["-c", "head -c 3000000 /dev/zero | tr '\\0' x"], { inputs });
  expect(result.exitCode).toBe(0);
  expect(result.stdout).toHaveLength(1024 * 1024);
});
