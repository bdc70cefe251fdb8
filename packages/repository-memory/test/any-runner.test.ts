import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  artifactStorePromises,
  sessionStorePromises,
  skillRepositoryPromises,
  workspaceRegistryPromises,
  writableSkillRepositoryPromises,
} from "@skillwright/core/testing";
import { expect, test } from "vitest";

const built = fileURLToPath(new URL("../dist/index.js", import.meta.url));
const script = fileURLToPath(new URL("children/contracts.mjs", import.meta.url));
const promises = [
  ...skillRepositoryPromises,
  ...writableSkillRepositoryPromises,
  ...artifactStorePromises,
  ...sessionStorePromises,
  ...workspaceRegistryPromises,
];

if (existsSync(built))
  test("the contracts run under node:test as well, every promise of them", { timeout: 60_000 }, async () => {
    const { NODE_OPTIONS, VITEST, ...env } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, ["--test-reporter=tap", script], { env });
    expect(/^# pass (\d+)$/m.exec(stdout)?.[1]).toBe(String(promises.length));
    expect(/^# fail (\d+)$/m.exec(stdout)?.[1]).toBe("0");
  });
else {
  const message = "repository-memory: node:test is not tried, packages/repository-memory/dist is not there";
  if (process.env["SKILLWRIGHT_REQUIRE_ALL"] === "1") throw new Error(message);
  console.log(message);
}
