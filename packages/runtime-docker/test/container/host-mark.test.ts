import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { hostMark, isHostGone } from "../../src/container/host-mark.js";

test("every mark is different, and a live process does not count as gone", () => {
  expect(hostMark()).not.toBe(hostMark());
  expect(isHostGone(hostMark())).toBe(false);
});

test("a host without a process of this machine does not count as gone", () => {
  expect(isHostGone("0123456789abcdef")).toBe(false);
  expect(isHostGone(hostMark().replace(/^(\w+)-\w+/, "$1-0000000000000000"))).toBe(false);
});

if (existsSync("/proc/self/stat")) {
  test("an ended process is gone, and so is one whose id was reused", async () => {
    const child = spawn("sleep", ["60"], { stdio: "ignore" });
    await once(child, "spawn");
    const mark = hostMark().replace(/-\d+-(\d+)$/, `-${child.pid}-$1`);
    expect(isHostGone(mark)).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(isHostGone(mark)).toBe(true);
  });
}
