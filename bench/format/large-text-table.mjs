import { headerFillers } from "./header-fillers.mjs";
import { markdownTable } from "./markdown-table.mjs";

const textBytes = 300_000;
/** Just below the 100 Ki characters above which a header is refused unread. */
const headerCharacters = 99 * 1024;
const rounds = 15;
const words = "Plain words of an ordinary text, in lines of eighty characters or a few less.\n";

/**
 * Texts of 300 KB, full of each filler in the header or in the body, compared with plain words of the same size in the same place.
 * The two take turns; a time is the processor time of the fastest of 15 calls after 5 warm-up calls, so that other programs
 * do not affect it.
 *
 * @returns the table, and the filler with the highest time
 */
export function largeTextTable(read) {
  const plainHeader = filled({
    header: headerOf((length) => `license: ${"plain ".repeat(length / 6)}`),
    body: "",
  });
  const plainBody = filled({ header: "license: MIT", body: "" });
  const results = headerFillers.map(([what, filler]) => ({
    what,
    header: measure(filled({ header: headerOf(filler), body: "" }), plainHeader),
    body: measure(filled({ header: "license: MIT", body: filler(textBytes) }), plainBody),
  }));
  const cells = ({ ours, floor }) => [ours.toFixed(2), (ours / floor).toFixed(1)];
  const table = markdownTable(
    ["300 KB", "in the header, ms", "× plain", "in the body, ms", "× plain"],
    results.map(({ what, header, body }) => [what, ...cells(header), ...cells(body)]),
  );
  const each = results.flatMap(({ what, header, body }) => [
    { title: `${what}, header`, ...header },
    { title: `${what}, body`, ...body },
  ]);
  const slowest = each.reduce((most, one) => (one.ours > most.ours ? one : most));
  const dearest = each.reduce((most, one) => (one.ours / one.floor > most.ours / most.floor ? one : most));
  return { table, slowest, dearest };

  function measure(text, plain) {
    const times = { ours: [], floor: [] };
    for (let round = -5; round < rounds; round++) {
      for (const [kind, content] of [
        ["ours", text],
        ["floor", plain],
      ]) {
        const before = process.cpuUsage();
        read(content);
        const { user, system } = process.cpuUsage(before);
        if (round >= 0) times[kind].push((user + system) / 1000);
      }
    }
    return { ours: Math.min(...times.ours), floor: Math.min(...times.floor) };
  }
}

/** As many characters as fit into the header or into 300 KB. */
function headerOf(filler) {
  let length = headerCharacters;
  let header = filler(length);
  while (Buffer.byteLength(header) > textBytes || header.length > headerCharacters) {
    length -= 1024;
    header = filler(length);
  }
  return header;
}

/** A text of 300 KB, filled up with plain words. */
function filled({ header, body }) {
  const front = `---\nname: x\ndescription: d\n${header}\n---\n`;
  const left = Math.max(0, textBytes - Buffer.byteLength(front));
  const own = Buffer.from(body).subarray(0, left).toString();
  const rest = Math.max(0, left - Buffer.byteLength(own));
  return `${front}${own}${words.repeat(Math.ceil(rest / words.length)).slice(0, rest)}`;
}
