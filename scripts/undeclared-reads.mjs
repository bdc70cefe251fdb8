/**
 * `node scripts/undeclared-reads.mjs [TASK ...]`: runs tasks of tests one by one, such as `@skillwright/core#test`, and names the
 * files of the repository that each task read, also in other processes, and that turbo.json does not declare. If such a file
 * changed, an old result would be taken for a new one. Needs a file system that notes the time of access. Without a task, runs those of the lane `test`.
 */
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { childEnvironment } from "./bootstrap/child-environment.mjs";
import { findPnpm } from "./bootstrap/find-pnpm.mjs";
import { prepare } from "./bootstrap/prepare.mjs";
import { root } from "./bootstrap/root.mjs";
import { declaredInputs } from "./lanes/declared-inputs.mjs";
import { laneOf, lanes } from "./lanes/lanes.mjs";
import { runTests } from "./lanes/run-tests.mjs";

/** Set as the last access of every file. The kernel notes the next access of a file whose last access is older than its content. */
const LONG_AGO = new Date("2000-01-01T00:00:00Z");
/** Files that turbo and Vitest read whatever the tests are. turbo itself depends on them. */
const ofEveryRun =
  /^(pnpm-lock\.yaml|turbo\.json|tsconfig.*\.json|\.gitignore|(apps|packages)\/[^/]+\/(package|turbo|tsconfig)\.json)$/;

await prepare();
process.chdir(root);
const env = childEnvironment(await findPnpm());
const given = process.argv.slice(2);
const tasks = (await declaredInputs(env)).filter((task) =>
  given.length > 0 ? given.includes(task.id) : laneOf(task) === lanes["test"],
);
if (tasks.length === 0) throw new Error(`There is no task ${given.join(", ")}.`);
const found = [];
for (const task of tasks) {
  const files = execFileSync("git", ["ls-files"], { encoding: "utf8" }).trimEnd().split("\n");
  execFileSync("xargs", ["-d", "\n", "touch", "-c", "-h", "-a", "-d", LONG_AGO.toISOString()], {
    input: files.join("\n"),
  });
  const names = Object.keys(lanes).filter((name) => lanes[name] === laneOf(task));
  const { exitCode } = await runTests(names, [task], env);
  const read = files.filter(
    (file) => (statSync(file, { throwIfNoEntry: false })?.atimeMs ?? 0) > LONG_AGO.getTime(),
  );
  if (read.length === 0) throw new Error("This file system does not note the time of access.");
  const undeclared = read.filter((file) => !task.inputs.has(file) && !ofEveryRun.test(file));
  found.push(
    ...undeclared.map((file) => `${task.id} read ${file}`),
    ...(exitCode === 0 ? [] : [`${task.id} failed`]),
  );
}
console.log(["", ...found, `${tasks.length} tasks, ${found.length} undeclared reads or failures`].join("\n"));
process.exitCode = found.length > 0 ? 1 : 0;
