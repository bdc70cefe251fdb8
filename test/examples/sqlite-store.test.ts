import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import {
  sessionStorePromises,
  skillRepositoryPromises,
  writableSkillRepositoryPromises,
} from "../../packages/contracts/src/index.js";
import { fetchNode, nodeVersions } from "../../scripts/bootstrap/fetch-node.mjs";
import { hasAll, leaveOut } from "../needs/has-all.js";
import { importedSpecifiers } from "../repository/readers/imports.js";
import { root } from "../repository/readers/packages.js";
import { sourceFiles } from "../repository/readers/source-files.js";

const example = `${root}/examples/sqlite-store`;
const promises = [...skillRepositoryPromises, ...writableSkillRepositoryPromises, ...sessionStorePromises];
/** The example has no `reader`, and skips the promises about it by id. */
const asked = promises.map(({ id }) => id).filter((id) => !id.startsWith("skill-repository/reader/"));

/** A Node with `node:sqlite` that runs TypeScript directly: this one, otherwise the Node 24 on which packages are tried. */
async function modernNode(): Promise<string> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  return await fetchNode(nodeVersions.find((version) => version.startsWith("24.")) ?? "");
}

const node = await modernNode().catch(() => leaveOut("Node 22.18"));

test("examples/sqlite-store depends only on core and on Node's own modules", () => {
  const imported = sourceFiles("examples/sqlite-store/src").flatMap(({ text }) => importedSpecifiers(text));
  const foreign = imported.filter(
    (specifier) => !specifier.startsWith(".") && !specifier.startsWith("node:"),
  );
  expect([...new Set(foreign)].sort()).toEqual(["@skillwright/core", "@skillwright/core/adapter"]);
});

if (node && hasAll("packages/contracts/dist", "packages/core/dist")) {
  test("examples/sqlite-store keeps every promise of its ports, in a file and in memory, and its own promises", async () => {
    const tests = run(node, ["--test", "--test-reporter=tap", "test/*.test.ts"]);
    // It exits with an error if a test failed; the check below reports which one.
    const { stdout } = await tests.catch((error: { stdout: string }) => error);
    const names = (result: string): string[] =>
      [...stdout.matchAll(new RegExp(`^${result} \\d+ - (.*)$`, "gm"))].map(([, name = ""]) => name);
    expect(names("not ok")).toEqual([]);
    const passed = names("ok");
    const kept = passed.map((name) => name.split(": ")[0] ?? "").filter((id) => asked.includes(id));
    expect(kept.sort()).toEqual([...asked, ...asked].sort());
    expect(passed.filter((name) => name.startsWith("sqlite-store/killed"))).toHaveLength(3);
    expect(/^# fail 0$/m.test(stdout), stdout.slice(-1000)).toBe(true);
  }, 120_000);

  test("examples/sqlite-store runs as its README says", async () => {
    const { stdout } = await run(node, ["src/main.ts"]);
    expect(stdout).toMatch(/^Stored greeter: sha256:[0-9a-f]{64}\nVisit 1\n$/);
  });
}

async function run(program: string, args: string[]): Promise<{ stdout: string }> {
  const { NODE_OPTIONS, VITEST, ...env } = process.env;
  const options = { cwd: example, env, maxBuffer: 16 * 1024 * 1024 };
  return await promisify(execFile)(program, ["--disable-warning=ExperimentalWarning", ...args], options);
}
