/** Runs the stages of CI one after another, whatever failed before, and adds up what they counted. */
import { existsSync } from "node:fs";
import { root } from "../scripts/bootstrap/root.mjs";
import { countingStage } from "./counting-stage.mjs";
import { useMemoryForTemporaryFiles } from "./memory-directory.mjs";
import { report } from "./report.mjs";
import { vitestStage } from "./vitest-stage.mjs";

const node = process.execPath;
const stages = [
  { name: "machine", run: countingStage(node, [".ci/check-machine.mjs"]) },
  { name: "npm test", run: vitestStage("npm", ["test", "--"]) },
  { name: "pnpm check", run: countingStage("npm", ["run", "check"]) },
  { name: "packed install", run: countingStage(node, ["test/release/packed-install.mjs"]) },
  ...(existsSync(`${root}/test/ai-sdk-7`)
    ? [{ name: "AI SDK 7", run: countingStage(node, ["scripts/ai-sdk-7.mjs"]) }]
    : []),
  { name: "release rehearsal", run: countingStage(node, ["test/release/release-rehearsal.mjs"]) },
  { name: "npm run demo", run: countingStage(node, [".ci/check-demo.mjs"]) },
];

const giveMemoryBack = await useMemoryForTemporaryFiles();
const results = [];
for (const { name, run } of stages) {
  console.log(`\n=== ${name}`);
  const started = performance.now();
  const counts = await run();
  results.push({ name, seconds: (performance.now() - started) / 1000, ...counts });
}
await giveMemoryBack();
process.exitCode = report(results) ? 0 : 1;
