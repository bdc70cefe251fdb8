import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { markedProcesses } from "./marked-processes.js";
import { supervised } from "./supervised.js";

const arm64 = fileURLToPath(new URL("../bin/linux-arm64/supervisor", import.meta.url));
/**
 * The emulator runs the supervisor, and the supervisor starts a program of the machine itself. The emulator does not
 * support subreapers, so the supervisor is the first process of a PID namespace, which adopts orphans too.
 */
const namespace = [
  "--dev-bind",
  "/",
  "/",
  "--unshare-pid",
  "--as-pid-1",
  "--die-with-parent",
  "--proc",
  "/proc",
];
/**
 * Before version 8, the emulator may hang in a process that was forked and has not called exec yet: its own second thread may have held
 * the lock of GLib's slices (https://gitlab.com/qemu-project/qemu/-/issues/285). The locks of malloc are safe.
 */
const withoutSlices = ["--setenv", "G_SLICE", "always-malloc"];
const surroundings = {
  before: ["bwrap", ...namespace, ...withoutSlices, "qemu-aarch64-static"],
  program: arm64,
};

if (process.arch === "x64" && hasAll("qemu-aarch64-static", "bubblewrap"))
  describe("the binary for arm64, emulated,", () => {
    test("reports a program and its exit code", async () => {
      const { report, stdout } = await supervised([], ["/bin/sh", "-c", "echo out; exit 7"], surroundings)
        .ended;
      expect([report, stdout]).toEqual([["protocol 2", "child", "begun", "ended exit 7", "gone"], "out\n"]);
    });

    test("reports a program that could not be started", async () => {
      const { report } = await supervised([], ["/absent/program"], surroundings).ended;
      expect(report).toEqual(["protocol 2", "child", "failed exec 2", "gone"]);
    });

    test("ends a tree whose processes detach", async () => {
      const marked = markedProcesses();
      const text = "setsid sleep 1000 & ( ( sleep 1000 & ) & ); trap '' TERM; echo ready; sleep 1000";
      const run = supervised(["--session"], ["/bin/bash", "-c", text], { ...surroundings, env: marked.env });
      await run.printed("ready");
      run.control.destroy();
      expect((await run.ended).report.slice(-2)).toEqual(["ended signal 9", "gone"]);
      expect(marked.alive()).toEqual([]);
    });
  });
