import { expect, test } from "vitest";
import { newProcessMark } from "../src/files/process-mark.js";

test("marks requested concurrently all differ, even the first ones of a process", async () => {
  const marks = await Promise.all(Array.from({ length: 100 }, () => newProcessMark()));
  expect(new Set(marks).size).toBe(100);
});
