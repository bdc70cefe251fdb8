// Runs the demo in a terminal and draws its output as docs/demo.svg. Needs a build and Linux.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { parseAnsiSequences } from "ansi-sequence-parser";

const COLUMNS = 100;
const CHARACTER = 8.43; // width of a 14 px monospace character
const LINE = 20;
const MARGIN = 20;
const COLORS = {
  black: "#484f58",
  red: "#ff7b72",
  green: "#3fb950",
  yellow: "#d29922",
  blue: "#58a6ff",
  magenta: "#bc8cff",
  cyan: "#39c5cf",
  white: "#e6edf3",
  brightBlack: "#6e7681",
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences that set modes of a terminal
const MODES = /\u001b\[\?\d+[hl]/g;

const output = demoOutput();
writeFileSync(
  new URL("../docs/demo.svg", import.meta.url),
  picture(["$ npm run demo", "", ...lines(output)]),
);

function demoOutput() {
  const command = `stty cols ${COLUMNS}; exec "${process.execPath}" apps/agent/dist/main.js`;
  // util-linux' `script` gives the demo a terminal, so that its output looks as it does to a person.
  const run = spawnSync("script", ["--quiet", "--return", "--command", command, "--log-out", "/dev/null"], {
    cwd: new URL("..", import.meta.url),
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: process.env.HOME,
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
    },
    encoding: "utf8",
  });
  if (run.status !== 0)
    throw new Error(`The demo ended with ${run.status}. Build first, then try again.\n${run.stdout}`);
  // The picture must not show where it was made, nor how the terminal was set.
  return run.stdout.replaceAll("\r", "").replaceAll(process.cwd(), "~/skillwright").replaceAll(MODES, "");
}

function lines(text) {
  return text.trimEnd().split("\n").flatMap(wrapped);
}

function wrapped(line) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences take no room
  const visible = line.replace(/\u001b\[[0-9;]*m/g, "");
  return visible.length <= COLUMNS
    ? [line]
    : [`${line.slice(0, COLUMNS - 1 + (line.length - visible.length))}…`];
}

function picture(rows) {
  const width = Math.ceil(COLUMNS * CHARACTER + 2 * MARGIN);
  const height = rows.length * LINE + 2 * MARGIN + 24;
  const text = rows.map((row, index) => rowElement(row, MARGIN + 24 + (index + 0.75) * LINE)).join("\n");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A run of npm run demo in a terminal">
<rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>
<circle cx="22" cy="20" r="6" fill="#ff5f57"/><circle cx="42" cy="20" r="6" fill="#febc2e"/><circle cx="62" cy="20" r="6" fill="#28c840"/>
<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="14" fill="#e6edf3" xml:space="preserve">
${text}
</g>
</svg>
`;
}

function rowElement(row, y) {
  const spans = parseAnsiSequences(row).map(({ value, foreground, decorations }) => {
    const color = foreground?.type === "named" ? COLORS[foreground.name] : undefined;
    const fill = color ?? (decorations.has("dim") ? "#8b949e" : undefined);
    const style = `${fill ? ` fill="${fill}"` : ""}${decorations.has("bold") ? ' font-weight="600"' : ""}`;
    return style ? `<tspan${style}>${escaped(value)}</tspan>` : escaped(value);
  });
  return `<text x="${MARGIN}" y="${y}">${spans.join("")}</text>`;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
