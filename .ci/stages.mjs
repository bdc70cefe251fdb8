/**
 * `.ci/run [all] [--force] [STAGE ...]` runs the stages of the gate, or of its whole form, or those that are named. They run one after
 * another, so that each has the machine for itself; only the virtual machine, which has one core, runs beside short ones. What passed before with the same inputs is not run again without `--force`.
 * `--list` prints their names as JSON.
 */
import { bareStage } from "./bare-stage.mjs";
import { clusterStage } from "./cluster-stage.mjs";
import { countingStage } from "./counting-stage.mjs";
import { withoutFinished } from "./finished-file.mjs";
import { gate } from "./gate.mjs";
import { informingStage } from "./informing-stage.mjs";
import { useMemoryForTemporaryFiles } from "./memory-directory.mjs";
import { passedTree } from "./passed-tree.mjs";
import { virtualMachineStage } from "./virtual-machine-stage.mjs";
import { vitestStage } from "./vitest-stage.mjs";

const isForced = process.argv.includes("--force");
const given = process.argv.slice(2).filter((argument) => argument !== "--force");
const form = given[0] === "all" ? "all" : "usual";
const chosen = form === "all" ? given.slice(1) : given;
/** Once before an issue is called resolved: every engine and Node, and what changes rarely. */
const isWhole = form === "all";
const node = process.execPath;
const ifForced = isForced ? ["--force"] : [];
const program = (/** @type {string[]} */ ...args) => countingStage(node, args);

/** A stage of tests whose results turbo keeps. */
const lane = (/** @type {string} */ name, /** @type {string[]} */ lanes, env = () => ({})) => ({
  name,
  alwaysRuns: true,
  run: vitestStage([node, "scripts/test.mjs", ...lanes.map((name) => `--lane=${name}`), ...ifForced], {
    env,
  }),
});

/** A stage with all tests of projects of Vitest, whatever passed before. The stage has the name of the first project. */
const suites = (/** @type {[string, ...string[]]} */ ...projects) => ({
  name: projects[0],
  run: vitestStage(["npm", "test", "--", ...projects.map((name) => `--project=${name}`)]),
});

/** @type {import("./gate.mjs").Stage[]} */
const stages = [
  { name: "machine", alwaysRuns: true, run: program(".ci/check-machine.mjs", form) },
  { name: "npm test prepares", alwaysRuns: true, run: program(".ci/check-preparation.mjs") },
  { name: "pnpm check", run: countingStage("npm", ["run", "check"]) },
  { name: "npm run demo", run: program(".ci/check-demo.mjs") },
  { name: "bare machine", run: bareStage({ isWhole, isForced }) },
  lane(
    "code",
    ["test", "test:large", "test:gate", ...(isWhole ? ["test:emulated", "test:soaks"] : [])],
    withoutFinished,
  ),
  lane("browser", ["test:browser"]),
  lane("stores", ["test:stores"]),
  lane("engines", ["test:engines"], () => (isWhole ? {} : { SKILLWRIGHT_ENGINES: "docker" })),
  clusterStage(lane("kubernetes", ["test:kubernetes"])),
];

if (isWhole)
  stages.push(
    { name: "cluster", run: program(".ci/check-cluster.mjs") },
    clusterStage(suites("gvisor")),
    clusterStage(suites("kubernetes-whole", "kubernetes-alone")),
    { name: "virtual machine", inBackground: true, run: virtualMachineStage() },
  );

stages.push(
  {
    name: "packed install",
    run: program("test/release/packed-install.mjs", ...(isWhole ? [] : ["--one-node"]), ...ifForced),
  },
  { name: "AI SDK 6", run: program("scripts/ai-sdk-6.mjs") },
  { name: "API client", run: program("scripts/api-client.mjs", "--check") },
  { name: "MCP hosts", run: program("scripts/mcp-hosts.mjs") },
);

if (isWhole)
  stages.push(
    { name: "supervisor", run: program(".ci/check-supervisor.mjs") },
    { name: "API reference", run: program("scripts/api-reference.mjs") },
    { name: "HTTP API", run: program("scripts/api-fuzzing.mjs") },
    { name: "Bun and Next", run: program("scripts/mounts.mjs") },
    { name: "agent SDKs", run: program("scripts/agent-sdks.mjs") },
    { name: "release rehearsal", run: program("test/release/release-rehearsal.mjs") },
    { name: "speed", alone: true, run: informingStage(node, ["bench/quick.mjs"]) },
  );

// For a workflow that has a job for each stage.
if (chosen[0] === "--list") {
  console.log(JSON.stringify(stages.map(({ name }) => name)));
  process.exit();
}
const unknown = chosen.filter((name) => !stages.some((stage) => stage.name === name));
if (unknown.length > 0) {
  const names = stages.map(({ name }) => `"${name}"`).join(", ");
  console.log(
    `There is no stage ${unknown.join(", ")}. The stages are ${names}; \`all\` before them has more.`,
  );
  process.exit(2);
}
const giveMemoryBack = await useMemoryForTemporaryFiles();
const memory = await passedTree(form);
const isGreen = await gate(
  stages.filter(({ name }) => chosen.length === 0 || chosen.includes(name)),
  isForced ? { ...memory, before: () => undefined } : memory,
);
await giveMemoryBack();
if (isGreen && chosen.length === 0) memory.noteGreen();
process.exitCode = isGreen ? 0 : 1;
