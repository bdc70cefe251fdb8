import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  artifactStorePromises,
  recordStorePromises,
  skillRepositoryPromises,
  writableSkillRepositoryPromises,
} from "@skillwright/contracts";
import { expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";

const script = fileURLToPath(new URL("children/contracts.mjs", import.meta.url));
const promises = [
  ...skillRepositoryPromises,
  ...writableSkillRepositoryPromises,
  ...artifactStorePromises,
  ...recordStorePromises,
];

if (hasAll("packages/contracts/dist", "packages/repository-memory/dist"))
  test("the contract suites run every promise under node:test as well", async () => {
    const { NODE_OPTIONS, VITEST, ...env } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, ["--test-reporter=tap", script], { env });
    expect(/^# pass (\d+)$/m.exec(stdout)?.[1]).toBe(String(promises.length));
    expect(/^# fail (\d+)$/m.exec(stdout)?.[1]).toBe("0");
  });
