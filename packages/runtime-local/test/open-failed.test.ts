import { openSync } from "node:fs";
import { expect, test } from "vitest";
import { openFailed } from "../src/files/open-failed.js";

test("a file that cannot be opened is named as commands see it, and not below a descriptor of this process", () => {
  let thrown: unknown;
  try {
    openSync("/proc/self/fd/2147483647/it's.txt", "r");
  } catch (error) {
    thrown = error;
  }
  const { code, message, cause } = openFailed(thrown, "out/it's.txt");
  expect([code, message]).toEqual([
    "BACKEND_FAILED",
    "Opening out/it's.txt failed: ENOENT: no such file or directory",
  ]);
  expect((cause as Error).cause).toBe(thrown);
});
