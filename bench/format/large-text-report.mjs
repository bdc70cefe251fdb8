import { largeTextTable } from "./large-text-table.mjs";

const aimMilliseconds = 20;

/** The table of texts of 300 KB with our aims, as Markdown. */
export function largeTextReport(read) {
  const { table, slowest, dearest } = largeTextTable(read);
  const { title, ours } = slowest;
  const verdict = ours < aimMilliseconds ? "met" : "**not met**";
  return (
    `### Texts of 300 KB: processor time of the cheapest of 15 calls, and the ratio to plain words in the same place\n\n${table}\n\n` +
    `- ${verdict}: 300 KB of anything under ${aimMilliseconds} ms: slowest ${ours.toFixed(2)} ms (${title}), ` +
    `${ratio(slowest)} times plain words; highest ratio ${ratio(dearest)} (${dearest.title}, ${dearest.ours.toFixed(2)} ms)`
  );
}

function ratio({ ours, floor }) {
  return (ours / floor).toFixed(1);
}
