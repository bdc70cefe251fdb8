import { contestantTitle } from "./contestant-title.mjs";
import { diagnosticsOf } from "./diagnostics-of.mjs";
import { median } from "./statistics.mjs";

/** The aims, the measured values, and whether the aims are met, as a Markdown list. */
export function aimsReport({ texts, hostile, skills }) {
  const [ours, ...peers] = texts.measured;
  const { slowest } = texts;
  const equals = peers.filter((peer) => yieldsAsMuch(peer, ours));
  const others = peers.filter((peer) => !equals.includes(peer));
  const lines = [
    aim("the whole corpus under 200 ms", `${ours.whole.toFixed(1)} ms`, ours.whole < 200),
    aim(
      "no file over 20 ms",
      `slowest of the corpus ${slowest.milliseconds.toFixed(2)} ms (${skills[slowest.index].directory}), ` +
        `slowest hostile text ${hostile.slowest.milliseconds.toFixed(1)} ms (${hostile.slowest.title}; first call ${hostile.slowest.first.toFixed(1)} ms)`,
      Math.max(slowest.milliseconds, hostile.slowest.milliseconds) < 20,
    ),
    ...equals.map((peer) =>
      aim(
        `per file faster than ${title(peer)}, which yields as much`,
        compared(peer, ours),
        faster(peer, ours),
      ),
    ),
    `- readers that yield as much (as many right descriptions, body, all fields, diagnostics as data): ${equals.length}; ` +
      "per file, p50, against those that yield less:",
    ...others.map(
      (peer) =>
        `  - ${faster(peer, ours) ? "faster" : "slower"} than ${title(peer)}: ${compared(peer, ours)}`,
    ),
  ];
  return `### Aims\n\n${lines.join("\n")}`;
}

function yieldsAsMuch({ contestant, yields }, ours) {
  return (
    yields.right >= ours.yields.right &&
    yields.body &&
    yields.unknown &&
    diagnosticsOf(contestant.facts, "text") === "yes"
  );
}

function aim(what, measured, met) {
  return `- ${met ? "met" : "**not met**"}: ${what}: ${measured}`;
}

function title({ contestant }) {
  return contestantTitle(contestant.facts);
}

function compared(peer, ours) {
  return `${microseconds(ours)} µs against ${microseconds(peer)} µs`;
}

function faster(peer, ours) {
  return microseconds(ours) < microseconds(peer);
}

function microseconds({ files }) {
  return Math.round(median(files) * 1000);
}
