/**
 * Compares workspaces on Kubernetes with what `@kubernetes/client-node` alone takes, in one run on the cluster of this machine: pods on runc, and
 * claims of a warm pool on gVisor. Prints Markdown; times are shown with our aims and never fail the run. Arguments: the places, runc and gvisor.
 */
import "../scripts/modern-node.mjs";
import { cpus, loadavg } from "node:os";
import { setTimeout } from "node:timers/promises";
import { prepare } from "../scripts/bootstrap/prepare.mjs";
import { tell } from "../scripts/bootstrap/step.mjs";
import { startCluster } from "../scripts/cluster/start-cluster.mjs";
import { markdownTable } from "./format/markdown-table.mjs";
import { median, quantile } from "./format/statistics.mjs";
import { place } from "./kubernetes/place.mjs";
import { aimsList, ratioJudgements } from "./workspace/aims.mjs";

/** @type {Map<string, { title: string, wish: { pool?: number, runtimeClassName?: string } }>} */
const wishes = new Map([
  ["runc", { title: "pods on runc", wish: {} }],
  ["gvisor", { title: "claims of a warm pool on gVisor", wish: { pool: 2, runtimeClassName: "gvisor" } }],
]);
const wanted = process.argv.length > 2 ? process.argv.slice(2) : [...wishes.keys()];
await prepare({ build: ["core", "runtime-kubernetes"].map((name) => `packages/${name}`) });
const cluster = await startCluster();
if ("reason" in cluster) {
  tell(`Nothing is measured: ${cluster.reason}`);
  process.exit(1);
}
try {
  const load = loadavg().map((one) => one.toFixed(1));
  console.log(
    `Node ${process.versions.node}, ${cpus().length} cores, load ${load.join(" ")}. What is compared takes turns.`,
  );
  for (const name of wanted) {
    const found = wishes.get(name);
    if (!found) throw new Error(`There is no place ${name}: ${[...wishes.keys()].join(", ")}`);
    console.log(`\n### ${found.title}\n`);
    await report(place(cluster, found.wish));
  }
} finally {
  await cluster.stop();
}

async function report(here) {
  const { beginning, counting, together, using } = await import("./kubernetes/figures.mjs");
  const rows = [];
  const judgements = [];
  for (const { times, ratios } of [await beginning(here), ...(await using(here))]) {
    const [[, floor], [, ours]] = Object.entries(times);
    for (const [what, each] of Object.entries(times))
      rows.push([
        what,
        ...[median(each), quantile(each, 0.95)].map((ms) => ms.toFixed(1)),
        (median(each) / median(floor)).toFixed(2),
      ]);
    for (const { what, ...bounds } of ratios)
      judgements.push(...ratioJudgements(what, median(ours) / median(floor), bounds));
  }
  const counts = await counting(here);
  const [attached] = Object.values(counts);
  const attach = { what: "attach from another process", measured: `${attached.length} API requests` };
  judgements.push({ ...attach, met: attached.length <= 2 });
  judgements.push({ ...attach, met: attached.length <= 1, kind: "aim" });
  const { seconds, failures } = await together(here);
  const left = await objectsLeft(here);
  judgements.push({
    what: "20 workspaces at once: create, stage, run, collect, destroy, without a failure or anything left",
    measured: `${seconds.toFixed(1)} s, ${failures.length} failures, ${left} objects left${failures.slice(0, 2).map((one) => `; ${one}`)}`,
    met: failures.length === 0 && left === 0,
  });
  here.remove();
  console.log(markdownTable(["what", "p50, ms", "p95, ms", "× the bare one"], rows));
  const told = Object.entries(counts).map(([what, calls]) => [what, `${calls.length}`, summed(calls)]);
  console.log(`\n${markdownTable(["what", "API requests", "which"], told)}`);
  console.log(`\n${aimsList(judgements)}`);
}

function summed(/** @type {string[]} */ calls) {
  const kinds = [...new Set(calls)];
  return kinds.map((kind) => `${calls.filter((call) => call === kind).length} ${kind}`).join(", ");
}

/** Claims, and pods that have the record of a workspace, once the cluster had time to remove them. */
async function objectsLeft({ name, kubectl, warm }) {
  const kinds = warm === undefined ? "pods" : "pods,sandboxclaims";
  const label = "skillwright.dev/workspace";
  for (let tries = 0; ; tries++) {
    const left = kubectl(["-n", name, "get", kinds, "-l", label, "-o", "name"])
      .split("\n")
      .filter(Boolean).length;
    if (left === 0 || tries === 300) return left;
    await setTimeout(200);
  }
}
