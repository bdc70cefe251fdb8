import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { childEnvironment } from "../../scripts/bootstrap/child-environment.mjs";
import { findPnpm } from "../../scripts/bootstrap/find-pnpm.mjs";
import { root } from "../../scripts/bootstrap/root.mjs";
import { lanes } from "../../scripts/lanes/lanes.mjs";
import { machineEnvironment } from "../../scripts/lanes/machine-environment.mjs";
import { plannedTasks, turbo } from "../../scripts/lanes/planned-tasks.mjs";

const allLanes = Object.keys(lanes);
/** Tasks of the root that depend on every file of the repository. */
const OF_ROOT = ["//#test:repository", "//#test:kept", "//#test:soaks"];

let folder: string;
let clone: string;
let env: NodeJS.ProcessEnv;
let before: ReadonlyMap<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skillwright-kept-"));
  clone = join(folder, "clone");
  mkdirSync(clone);
  const inClone = { cwd: clone, stdio: "ignore" } as const;
  // The clone has the files that are not committed yet, but not those that git ignores.
  execFileSync("sh", [
    "-c",
    `cd "$1" && git ls-files -z --cached --others --exclude-standard | xargs -0 sh -c 'for file; do [ ! -e "$file" ] || printf "%s\\0" "$file"; done' - | xargs -0 cp --parents -t "$2"`,
    ...["-", root, clone],
  ]);
  execFileSync("git", ["init", "--quiet"], inClone);
  execFileSync("git", ["add", "--all"], inClone);
  const usual = {
    ...childEnvironment(await findPnpm()),
    TURBO_CACHE_DIR: join(folder, "cache"),
    // Nothing is installed in the clone, and its tasks need nothing.
    pnpm_config_verify_deps_before_run: "false",
  };
  env = { ...usual, ...machineEnvironment(usual) };
  before = await hashes(env);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TOOLS_AND_ABOVE = [
  ...["tools#test", "tools#test:engines", "agent#test"],
  ...["cli#test", "cli#test:engines", "cli#test:large", "cli#test:stores"],
  ...["mcp#test", "server#test", "server#test:browser", "server#test:stores"],
  ...["agent-app#test", "agent-app#test:engines", "agent-app#test:stores"],
  "agent-app#test:kubernetes",
  ...["web#test", "web-app#test", "web-app#test:browser"],
];
const LINT_AND_ABOVE = ["lint#test", ...TOOLS_AND_ABOVE];
const WORKSPACE_AND_ABOVE = [
  ...["workspace#test", "workspace#test:engines", "workspace#test:large", "workspace#test:stores"],
  ...TOOLS_AND_ABOVE,
];

test.each([
  { kind: "a source of a dependency", file: "packages/lint/src/index.ts", tasks: LINT_AND_ABOVE },
  { kind: "a manifest of a dependency", file: "packages/lint/package.json", tasks: LINT_AND_ABOVE },
  { kind: "a test", file: "packages/lint/test/skill.test.ts", tasks: ["lint#test"] },
  { kind: "what tests of a package share", file: "packages/lint/test/lint-case.ts", tasks: LINT_AND_ABOVE },
  {
    kind: "a document that a test reads",
    file: "docs/agent-configuration.md",
    tasks: ["config#test", "config#test:stores"],
  },
  {
    kind: "the supervisor's program",
    file: "packages/supervisor/bin/linux-x64/supervisor",
    tasks: [
      ...["supervisor#test", "supervisor#test:emulated", "runtime-local#test", "runtime-docker#test:engines"],
      "runtime-kubernetes#test:kubernetes",
      ...WORKSPACE_AND_ABOVE,
    ],
  },
  { kind: "the gate", file: ".ci/gate.mjs", tasks: ["//#test:gate"] },
])("a change of $kind has these tasks run again, and no others", async ({ file, tasks }) => {
  expect(await changedBy(file)).toEqual([...new Set([...tasks, ...OF_ROOT])].sort());
});

test.each([
  { kind: "a skill", file: "skills/python-math/SKILL.md", unchanged: ["//#test:gate"] },
  { kind: "what all tests share", file: "test/needs/needs.ts", unchanged: [] },
  { kind: "Vitest's configuration", file: "vitest.config.ts", unchanged: [] },
])("a change of $kind has all tasks run again but $unchanged", async ({ file, unchanged }) => {
  expect(remaining(await changedBy(file))).toEqual(unchanged.sort());
});

test("another version of a dependency in the lockfile has those tasks run again that can load it", async () => {
  const path = join(clone, "pnpm-lock.yaml");
  const lockfile = readFileSync(path, "utf8");
  onTestFinished(() => writeFileSync(path, lockfile));
  const [, version = ""] = /^ {2}mime-types@(\S+):$/m.exec(lockfile) ?? [];
  writeFileSync(
    path,
    lockfile
      .replaceAll(`mime-types@${version}`, "mime-types@99.0.0")
      .replaceAll(/(mime-types:\n +specifier: .*\n +version: ).*/g, "$199.0.0"),
  );
  const tasks = changed(await hashes(env));
  expect(tasks).toEqual([...WORKSPACE_AND_ABOVE, "runtime-kubernetes#test:kubernetes", ...OF_ROOT].sort());
});

test.each([
  { program: "chromium", lane: "test:browser" },
  { program: "dockerd", lane: "test:engines" },
  { program: "radosgw", lane: "test:stores" },
  { program: "kubectl", lane: "test:kubernetes" },
])("another $program has the tasks of $lane run again, and no others", async ({ program, lane }) => {
  const tasks = changed(await hashes(withProgram(program)));
  expect(tasks).toEqual(
    [...before.keys()]
      .filter((id) => id.endsWith(`#${lane}`))
      .map(shortened)
      .sort(),
  );
  expect(tasks).not.toEqual([]);
});

test("another bubblewrap, which tests of any lane may start, has all tasks run again", async () => {
  expect(remaining(changed(await hashes(withProgram("bwrap"))))).toEqual([]);
});

test("the results of a task are kept if all its files passed, and not if a file failed, a suite was left out for now, or an input changed meanwhile", async () => {
  const tasks = await plannedTasks(["test"], { env, checkout: clone });
  const [core, lint, injector, config] = ["core", "lint", "injector", "config"].map((name) =>
    tasks.find(({ id }) => id === `@skillwright/${name}#test`),
  );
  const good = { project: "shared", passed: 3, failures: [], isWhole: true, isRepeatable: true };
  const run = {
    results: {
      files: [
        { ...good, file: "packages/core/test/a.test.ts" },
        { ...good, file: "packages/lint/test/a.test.ts" },
        { ...good, file: "packages/lint/test/b.test.ts", failures: ["fails"] },
        { ...good, file: "packages/injector/test/a.test.ts", isWhole: false, isRepeatable: false },
        { ...good, file: "packages/config/test/a.test.ts" },
      ],
      errors: [],
    },
    hashes: [core, lint, injector].map((task) => task?.hash),
  };
  const runFile = join(folder, "run.json");
  writeFileSync(runFile, JSON.stringify(run));
  const filters = ["core", "lint", "injector", "config"].map((name) => `--filter=@skillwright/${name}`);
  const { status } = spawnSync(turbo, ["run", "test", "--continue", ...filters], {
    cwd: clone,
    env: { ...env, SKILLWRIGHT_LANES_RUN: runFile },
  });
  expect(status).not.toBe(0);
  const after = await plannedTasks(["test"], { env, checkout: clone });
  expect(after.filter(({ isKept }) => isKept).map(({ id }) => id)).toEqual([core?.id]);
  expect(
    (await plannedTasks(["test"], { env, checkout: clone, force: true })).some(({ isKept }) => isKept),
  ).toBe(false);
  expect(JSON.parse(readFileSync(join(clone, "packages/core/.cache/tests/test.json"), "utf8"))).toEqual({
    files: run.results.files.slice(0, 1),
  });
  expect([lint, injector, config].map((task) => task?.isKept)).toEqual([false, false, false]);
});

/** An environment in which another program of this name comes first on the PATH. */
function withProgram(name: string): NodeJS.ProcessEnv {
  const programs = mkdtempSync(join(folder, "programs-"));
  writeFileSync(join(programs, name), "#!/bin/sh\n", { mode: 0o755 });
  const PATH = `${programs}:${env["PATH"]}`;
  return { ...env, ...machineEnvironment({ ...env, PATH }) };
}

/** The tasks whose hash changes if a line is added to this file. */
async function changedBy(file: string): Promise<readonly string[]> {
  const path = join(clone, file);
  const content = readFileSync(path);
  onTestFinished(() => writeFileSync(path, content));
  appendFileSync(path, "\n");
  return changed(await hashes(env));
}

function changed(after: ReadonlyMap<string, string>): readonly string[] {
  return [...after]
    .filter(([id, hash]) => before.get(id) !== hash)
    .map(([id]) => shortened(id))
    .sort();
}

/** All tasks but these. */
function remaining(tasks: readonly string[]): readonly string[] {
  return [...before.keys()]
    .map(shortened)
    .filter((id) => !tasks.includes(id))
    .sort();
}

function shortened(id: string): string {
  return id.replace("@skillwright/", "");
}

async function hashes(env: NodeJS.ProcessEnv): Promise<ReadonlyMap<string, string>> {
  const tasks = await plannedTasks(allLanes, { env, checkout: clone });
  return new Map(tasks.map(({ id, hash }) => [id, hash]));
}
