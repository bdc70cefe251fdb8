import { markdownTable } from "../../format/markdown-table.mjs";

const MEBIBYTE = 1024 ** 2;
const KIBIBYTE = 1024;

/** Timeouts: the time until the run settles, and the surviving processes. */
export function timeoutsSection(results) {
  const head = ["shape", "isolation", "slowest, ms", "survivors", "result promises the end"];
  const rows = results.flatMap(({ isolation, shapes }) =>
    Object.entries(shapes).map(([shape, { ms, survivors, treeEnded }]) => [
      shape,
      isolation,
      Math.max(...ms).toFixed(0),
      survivors,
      treeEnded ? "yes" : "no",
    ]),
  );
  const judgements = results
    .filter(({ isolation }) => isolation === "sandbox")
    .map(({ shapes }) => {
      const all = Object.values(shapes);
      const slowest = Math.max(...all.flatMap(({ ms }) => ms));
      const survivors = all.reduce((sum, one) => sum + one.survivors, 0);
      return {
        what: "a timeout of 1 s settled within 1.1 s in the sandbox, no survivor, six shapes",
        measured: `slowest ${slowest.toFixed(0)} ms, ${survivors} survivors, ${all.length} shapes`,
        met:
          slowest <= 1100 && survivors === 0 && all.every(({ timedOut, treeEnded }) => timedOut && treeEnded),
      };
    });
  const title = `### A timeout of 1 s: ${results[0]?.rounds} runs a shape`;
  return { text: `${title}\n\n${markdownTable(head, rows)}`, judgements };
}

/** The memory that a large output takes of this process. */
export function largeOutputSection(results) {
  const head = ["output into an artifact", "isolation", "more memory at most, MiB", "s", "MiB/s"];
  const rows = results.map(({ isolation, bytes, more, seconds }) => [
    `${(bytes / MEBIBYTE).toFixed(0)} MiB`,
    isolation,
    (more / MEBIBYTE).toFixed(1),
    seconds.toFixed(1),
    (bytes / MEBIBYTE / seconds).toFixed(0),
  ]);
  const judgements = results.map(({ bytes, more }) => ({
    what: `an output of ${(bytes / MEBIBYTE).toFixed(0)} MiB into an artifact with less than 64 MiB more memory`,
    measured: `${(more / MEBIBYTE).toFixed(1)} MiB`,
    met: more < 64 * MEBIBYTE,
  }));
  return { text: `### A large output\n\n${markdownTable(head, rows)}`, judgements };
}

/** Many workspaces, and what is left of them. */
export function manyWorkspacesSection(results) {
  const head = [
    "registry",
    "open at once",
    "made, ms each",
    "upload and run, ms each",
    "more memory, KiB each",
    "entries before",
    "at the peak",
    "after",
    "KiB of files before",
    "at the peak",
    "after",
    "policy, s",
  ];
  const rows = results.map((one) => [
    one.registry ? "fsRecords" : "none",
    one.open,
    (one.madeMs / one.count).toFixed(2),
    (one.usedMs / one.count).toFixed(1),
    (one.more / one.count / KIBIBYTE).toFixed(0),
    ...[one.before, one.peak, one.after].map(({ entries }) => entries),
    ...[one.before, one.peak, one.after].map(({ bytes }) => (bytes / KIBIBYTE).toFixed(0)),
    (one.policyMs / 1000).toFixed(1),
  ]);
  const judgements = results.map((one) => ({
    what: `${one.count} workspaces open in one process, disk back after the idle policy (registry: ${one.registry ? "fsRecords" : "none"})`,
    measured: `${one.open} open; ${one.after.entries} entries and ${one.after.bytes / KIBIBYTE} KiB after, ${one.before.entries} and ${one.before.bytes / KIBIBYTE} before${one.said.length > 0 ? `; told: ${one.said[0].message}` : ""}`,
    met:
      one.open >= one.count && one.after.entries <= one.before.entries && one.after.bytes <= one.before.bytes,
  }));
  return { text: `### Many workspaces\n\n${markdownTable(head, rows)}`, judgements };
}

/** How long other work waits in a large process. */
export function residentSection(results) {
  const head = [
    "longest gap in the event loop, ms",
    "isolation",
    "small, runs",
    "1 GiB, idle",
    "1 GiB, bare spawns",
    "1 GiB, runs",
    "1 GiB, runs at once",
  ];
  const rows = results.map(({ isolation, runs, small, idle, bare, ours, atOnce }) => [
    `${runs} starts of \`true\``,
    isolation,
    ...[small, idle, bare, ours, atOnce].map((gaps) => gaps[0].toFixed(1)),
  ]);
  const judgements = results.map(({ isolation, ours, bare }) => ({
    what: `no gap in the event loop over 10 ms with 1 GiB resident (${isolation})`,
    measured: `${ours[0].toFixed(1)} ms, median of the runs' longest ${ours[Math.floor(ours.length / 2)].toFixed(1)} ms; bare spawns ${bare[0].toFixed(1)} ms`,
    met: ours[0] <= 10,
    kind: "aim",
  }));
  return { text: `### A large process\n\n${markdownTable(head, rows)}`, judgements };
}
