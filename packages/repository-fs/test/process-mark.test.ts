import { expect, test } from "vitest";
import { newProcessMark } from "../src/files/process-mark.js";

test("marks that are asked for at once all differ, the first ones of a process too", async () => {
  const marks = await Promise.all(Array.from({ length: 100 }, () => newProcessMark()));
  expect(new Set(marks).size).toBe(100);
});
