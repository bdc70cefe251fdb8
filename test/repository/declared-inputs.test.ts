import { relative } from "node:path";
import { build, type Metafile } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { childEnvironment } from "../../scripts/bootstrap/child-environment.mjs";
import { findPnpm } from "../../scripts/bootstrap/find-pnpm.mjs";
import { root } from "../../scripts/bootstrap/root.mjs";
import { type Declared, declaredInputs } from "../../scripts/lanes/declared-inputs.mjs";
import { laneOf, lanes, testFolders } from "../../scripts/lanes/lanes.mjs";
import { runCommand } from "../../scripts/run-command.mjs";

/** As `vitest list` names them. */
interface TestFile {
  readonly file: string;
  readonly projectName: string;
}

let tasks: readonly Declared[];
let testFiles: readonly TestFile[];

beforeAll(async () => {
  const env = childEnvironment(await findPnpm());
  tasks = await declaredInputs(env);
  const vitest = `${root}/node_modules/.bin/vitest`;
  const { stdout } = await runCommand(vitest, ["list", "--filesOnly", "--json"], {
    cwd: root,
    env: { ...env, SKILLWRIGHT_WITHOUT_LANES: "" },
  });
  testFiles = (JSON.parse(stdout) as TestFile[]).map(({ file, projectName }) => ({
    file: relative(root, file),
    projectName,
  }));
});

test("every file that a test file imports is an input of the task that keeps its result", async () => {
  const inputs = await imports(testFiles.map(({ file }) => file));
  const undeclared = tasks.flatMap((task) => {
    const used = filesOf(task).flatMap((file) => [...reached(file, inputs)]);
    return used.filter((path) => !task.inputs.has(path)).map((path) => `${task.id}: ${path}`);
  });
  expect([...new Set(undeclared)].sort()).toEqual([]);
});

test("every test file of a lane belongs to one task, and every task has test files", () => {
  const kept = tasks.map((task) => [task.id, filesOf(task)] as const);
  expect(kept.filter(([, files]) => files.length === 0)).toEqual([]);
  const projects = Object.values(lanes).flatMap(({ projects }) => projects);
  const inLanes = testFiles
    .filter(({ projectName }) => projects.includes(projectName))
    .map(({ file }) => file);
  expect(kept.flatMap(([, files]) => files).sort()).toEqual(inLanes.sort());
});

function filesOf(task: Declared): readonly string[] {
  const projects = laneOf(task)?.projects ?? [];
  const folders = testFolders(task);
  return testFiles
    .filter(
      ({ file, projectName }) =>
        projects.includes(projectName) && folders.some((folder) => file.startsWith(folder)),
    )
    .map(({ file }) => file);
}

async function imports(files: readonly string[]): Promise<Metafile["inputs"]> {
  const { metafile } = await build({
    // One program of all files, because each program would be written out whole.
    stdin: { contents: files.map((file) => `import "./${file}";`).join("\n"), resolveDir: root },
    ...{ absWorkingDir: root, outdir: "unwritten", write: false, metafile: true },
    ...{ bundle: true, format: "esm", platform: "node", jsx: "automatic", logLevel: "error" },
    conditions: ["@skillwright/source"],
    loader: { ".css": "empty", ".html": "empty", ".woff2": "empty", ".svg": "empty" },
    plugins: [
      {
        name: "packages of others are in the lockfile",
        setup: ({ onResolve }) =>
          onResolve({ filter: /^[^./#]/ }, ({ path }) =>
            path.startsWith("@skillwright/") ? undefined : { path, external: true },
          ),
      },
    ],
  });
  return metafile.inputs;
}

function reached(file: string, inputs: Metafile["inputs"], seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file) || file.includes("node_modules/")) return seen;
  seen.add(file);
  for (const { path, external } of inputs[file]?.imports ?? []) if (!external) reached(path, inputs, seen);
  return seen;
}
