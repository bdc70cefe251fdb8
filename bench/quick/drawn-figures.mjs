const WIDTH = 760;
const ROW = 34;
const LEFT = 230;
const RIGHT = 90;
const TOP = 30;

/** A picture of the records as SVG: for each figure its ratio to the floor over time, from zero to its highest. */
export function drawnFigures(records) {
  const titles = [...new Set(records.flatMap(({ figures }) => Object.keys(figures)))];
  const height = TOP + titles.length * ROW + 10;
  const rows = titles.map((title, index) => row(title, records, TOP + index * ROW));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
    "<title>Speed over time</title>",
    `<rect width="${WIDTH}" height="${height}" fill="white"/>`,
    text(10, 18, `Ratio of each to its floor, from ${dayOf(records[0])} to ${dayOf(records.at(-1))}`),
    ...rows,
    "</svg>\n",
  ].join("\n");
}

function row(title, records, top) {
  const seen = records.flatMap(({ figures }, at) =>
    figures[title] ? [{ at, ratio: figures[title].ratio }] : [],
  );
  const highest = Math.max(...seen.map(({ ratio }) => ratio));
  const across = (at) => LEFT + ((WIDTH - LEFT - RIGHT) * (at + 0.5)) / records.length;
  const up = (ratio) => top + ROW - 8 - (ROW - 14) * (ratio / highest);
  const points = seen.map(({ at, ratio }) => `${across(at).toFixed(1)},${up(ratio).toFixed(1)}`);
  return [
    text(10, top + 20, title),
    `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${top + ROW - 8}" y2="${top + ROW - 8}" stroke="#ccc"/>`,
    `<polyline points="${points.join(" ")}" fill="none" stroke="#2a6fb0" stroke-width="1.5"/>`,
    ...points.map((point) => {
      const [x, y] = point.split(",");
      return `<circle cx="${x}" cy="${y}" r="2.5" fill="#2a6fb0"/>`;
    }),
    text(WIDTH - RIGHT + 10, top + 20, `× ${seen.at(-1)?.ratio.toFixed(2) ?? ""}`),
  ].join("\n");
}

function text(x, y, content) {
  const escaped = content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${x}" y="${y}">${escaped}</text>`;
}

function dayOf(record) {
  return record ? record.date.slice(0, 10) : "";
}
