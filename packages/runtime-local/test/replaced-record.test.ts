import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { readRecord } from "../src/storage/workspace-record.js";
import { temporaryDirectory } from "./local-subject.js";

/** Puts a new workspace with its record in place and takes it away again, as another process does that creates and destroys it. */
const REPLACING = `
  const { mkdirSync, renameSync, writeFileSync } = require("node:fs");
  const [at, record] = process.argv.slice(1);
  for (let round = 0; round < 1_500; round++) {
    mkdirSync(at + ".new");
    writeFileSync(at + ".new/record.json", record);
    renameSync(at + ".new", at);
    renameSync(at, at + ".gone-" + round);
  }`;

test("a workspace that another process destroys and creates again while it is read is there or not, and never damaged", async () => {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  const at = join(path, "w1");
  const record = { formatVersion: 1, id: "w1", createdAt: "2026-01-01T00:00:00Z", staged: {} };
  const replacing = spawn(process.execPath, ["-e", REPLACING, at, JSON.stringify(record)], {
    stdio: "ignore",
  });
  let isReplacing = true;
  const ended = once(replacing, "exit").finally(() => {
    isReplacing = false;
  });
  while (isReplacing) {
    for (let look = 0; look < 100; look++) expect(readRecord(at) ?? record).toEqual(record);
    await setImmediate();
  }
  expect(await ended).toEqual([0, null]);
});
