/**
 * Compares the Docker runtime with the engine's bare API and the `docker` command, in one run on a private engine. Prints a Markdown
 * table; times are shown with our aims and never fail the run. Arguments name the engine, docker (default), podman or tcp, and the parts.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { prepare } from "../scripts/bootstrap/prepare.mjs";
import { tell } from "../scripts/bootstrap/step.mjs";
import { engineStarts } from "../scripts/engines/engine-starts.mjs";
import { missingForEngine } from "../scripts/engines/missing-for-engine.mjs";
import { testImage } from "../scripts/engines/test-images/test-image.mjs";
import { markdownTable } from "./format/markdown-table.mjs";
import { median, quantile } from "./format/statistics.mjs";
import { aimsList, ratioJudgements } from "./workspace/aims.mjs";

const packages = ["core", "repository-fs", "repository-memory", "runtime-docker", "skillbox", "workspace"];
const name = process.argv[2] ?? "docker";
const start = engineStarts.get(name);
const trouble = start
  ? missingForEngine(name)
  : `there is no engine ${name}: ${[...engineStarts.keys()].join(", ")}`;
if (!start || trouble) {
  tell(`Nothing is measured: ${trouble}`);
  process.exit(1);
}
await prepare({ build: packages.map((each) => `packages/${each}`) });
const engine = await start();
const directory = mkdtempSync(`${tmpdir()}/skillwright-bench-`);
try {
  const place = { host: engine.host, image: await testImage(engine.host, "base"), directory };
  await report(place);
} finally {
  rmSync(directory, { recursive: true, force: true });
  await engine.stop();
}

async function report(place) {
  const node = `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} cores`;
  console.log(`Engine: ${name}. ${node}. What is compared takes turns.\n`);
  const rows = [];
  const judgements = [];
  const parts = process.argv[3]?.split(",") ?? [
    "runs",
    "staging",
    "collecting",
    "creating",
    "timeouts",
    "packages",
  ];
  for (const part of parts) {
    const { default: measure } = await import(`./docker/${part}.mjs`);
    const { times, ratios, more = [] } = await measure(place);
    const floor = median(Object.values(times)[0]);
    for (const [what, each] of Object.entries(times))
      rows.push([
        what,
        median(each).toFixed(1),
        quantile(each, 0.95).toFixed(1),
        (median(each) / floor).toFixed(2),
      ]);
    for (const { what, of, to, must, aim } of ratios)
      judgements.push(...ratioJudgements(what, median(times[of]) / median(times[to]), { must, aim }));
    judgements.push(...more);
  }
  console.log(markdownTable(["what", "p50, ms", "p95, ms", "× the first of its group"], rows));
  console.log(`\n### Aims\n\n${aimsList(judgements)}`);
}
