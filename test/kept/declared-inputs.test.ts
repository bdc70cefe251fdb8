import { relative } from "node:path";
import { build, type Metafile } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { childEnvironment } from "../../scripts/bootstrap/child-environment.mjs";
import { findPnpm } from "../../scripts/bootstrap/find-pnpm.mjs";
import { root } from "../../scripts/bootstrap/root.mjs";
import { type Declared, declaredInputs } from "../../scripts/lanes/declared-inputs.mjs";
import { lanes } from "../../scripts/lanes/lanes.mjs";
import { filesOf } from "../../scripts/lanes/run-tests.mjs";
import { runCommand } from "../../scripts/run-command.mjs";

/** As `vitest list` prints it, with an absolute path. */
interface Listed {
  readonly file: string;
  readonly projectName: string;
}

interface TestFile {
  readonly file: string;
  readonly project: string;
}

let tasks: readonly Declared[];
let testFiles: readonly TestFile[];

beforeAll(async () => {
  const env = childEnvironment(await findPnpm());
  tasks = await declaredInputs(env);
  const vitest = `${root}/node_modules/.bin/vitest`;
  const { stdout } = await runCommand(vitest, ["list", "--filesOnly", "--json"], {
    cwd: root,
    // Vitest lists all files, also those that the gate ran on the bare machine.
    env: { ...env, SKILLWRIGHT_WITHOUT_LANES: "", SKILLWRIGHT_FINISHED: "" },
  });
  testFiles = (JSON.parse(stdout) as Listed[]).map(({ file, projectName: project }) => ({
    file: relative(root, file),
    project,
  }));
});

test("every file that a test file imports is an input of the task that keeps its result", async () => {
  const inputs = await imports(testFiles.map(({ file }) => file));
  const undeclared = tasks.flatMap((task) => {
    const used = filesOf(task, testFiles).flatMap(({ file }) => [...reached(file, inputs)]);
    return used.filter((path) => !task.inputs.has(path)).map((path) => `${task.id}: ${path}`);
  });
  expect([...new Set(undeclared)].sort()).toEqual([]);
});

test("every test file of a lane belongs to one task, and every task has test files", () => {
  const kept = tasks.map((task) => ({ id: task.id, files: filesOf(task, testFiles) }));
  expect(kept.filter(({ files }) => files.length === 0)).toEqual([]);
  const projects = Object.values(lanes).flatMap(({ projects }) => projects);
  const paths = (files: readonly TestFile[]) => files.map(({ file }) => file).sort();
  const inLanes = testFiles.filter(({ project }) => projects.includes(project));
  expect(paths(kept.flatMap(({ files }) => files))).toEqual(paths(inLanes));
});

async function imports(files: readonly string[]): Promise<Metafile["inputs"]> {
  const { metafile } = await build({
    // One entry that imports all files: with an entry for each, esbuild would write shared files once for each.
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
