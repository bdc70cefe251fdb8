import { contestantTitle } from "../format/contestant-title.mjs";
import { markdownTable } from "../format/markdown-table.mjs";
import { median } from "../format/statistics.mjs";
import { FEW_HANDLES } from "./discovery.mjs";

const HEAD = [
  "loader",
  "ms",
  "× floor",
  "CPU, ms",
  "first, ms",
  "longest stop, ms (worst)",
  "peak, MB (before)",
  "found",
  "right",
  `with ${FEW_HANDLES} handles`,
];

/** Floors and ours first, the others by time. Ratios are medians of the ratios in each round. */
export function discoveryTable(results, loadable) {
  const [floor] = results;
  const measured = results.map((result) => ({
    ...result,
    ms: median(result.rounds.map(({ took }) => took)),
  }));
  const isOther = ({ facts }) => facts.from !== undefined;
  const others = measured.filter(isOther).sort((a, b) => a.ms - b.ms);
  const rows = [...measured.filter((one) => !isOther(one)), ...others];
  return markdownTable(
    HEAD,
    rows.map((row) => cells(row, { floor, loadable })),
  );
}

/** Whether ours is faster than each package that parses real YAML, and by how much than the fastest of them. */
export function fasterThanPeers(results) {
  const ours = results.find(({ facts }) => !facts.from && !facts.isFloor);
  const peers = results.filter(({ facts }) => facts.from && !facts.note && !facts.isLoop);
  if (!ours || peers.length === 0) return undefined;
  const ratios = peers.map((peer) => ({ peer, ratio: ratioTo(ours, peer) }));
  const [worst] = ratios.sort((a, b) => b.ratio - a.ratio);
  return {
    what: "faster than every peer that reads real YAML",
    measured: `${worst.ratio.toFixed(2)} times the time of ${contestantTitle(worst.peer.facts)}`,
    met: worst.ratio < 1,
  };
}

function ratioTo(one, other) {
  return median(one.rounds.map(({ took }, round) => took / other.rounds[round].took));
}

function cells({ facts, rounds, first, yields, few, ms }, { floor, loadable }) {
  const stops = rounds.map(({ longest }) => longest);
  const worst = Math.max(first.longest, ...stops);
  return [
    facts.isFloor ? facts.title : contestantTitle(facts),
    ms.toFixed(0),
    ratioTo({ rounds }, floor).toFixed(2),
    median(rounds.map(({ cpu }) => cpu)).toFixed(0),
    first.took.toFixed(0),
    `${median(stops).toFixed(0)} (${worst.toFixed(0)})`,
    `${first.peak.toFixed(0)} (${first.before.toFixed(0)})`,
    ...(facts.isFloor ? ["", "", ""] : [foundOf(yields.found, loadable), yields.right, fewOf(few, yields)]),
  ];
}

function foundOf(found, loadable) {
  if (found > loadable) return `all, and ${found - loadable} more`;
  return found === loadable ? "all" : `${found} of ${loadable}`;
}

function fewOf(few, yields) {
  if (few.error) return `fails: ${few.error.slice(0, 40)}`;
  return few.found === yields.found && few.right === yields.right ? "the same" : `only ${few.found}`;
}
