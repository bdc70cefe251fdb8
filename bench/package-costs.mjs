/**
 * The cost of each public package for its user: the size of its tarball, its dependencies, the size of all of them on
 * disk, and the time to import its main entry in a new Node process (the median, less that of an empty program).
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { filesBelow } from "../scripts/bootstrap/fingerprint.mjs";
import { prepare } from "../scripts/bootstrap/prepare.mjs";
import { emptyProject, installedPackages } from "../scripts/packing/empty-project.mjs";
import { packPackages } from "../scripts/packing/pack-packages.mjs";
import { runCommand } from "../scripts/run-command.mjs";

const runs = 15;

await prepare();
const temporary = mkdtempSync(`${tmpdir()}/skillwright-costs-`);
try {
  const packed = await packPackages();
  const rows = [];
  for (const one of packed) rows.push(await costs(one, packed));
  console.log(
    `Node ${process.versions.node}, ${process.platform} ${process.arch}; import: median of ${runs} starts`,
  );
  console.log(table(["package", "packed", "direct", "transitive", "installed", "import"], rows));
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

async function costs(one, packed) {
  const project = `${temporary}/${one.name.replace(/^.*\//, "")}`;
  await emptyProject(project, [one], packed);
  const direct = Object.keys(one.manifest.dependencies ?? {}).length;
  const all = installedPackages(project).length - 1;
  const bytes = filesBelow(`${project}/node_modules`).reduce((sum, file) => sum + statSync(file).size, 0);
  const milliseconds = await importTime(project, one.name);
  return [
    one.name,
    kilobytes(one.bytes),
    `${direct}`,
    `${all - direct}`,
    kilobytes(bytes),
    `${milliseconds.toFixed(0)} ms`,
  ];
}

/** The two programs take turns, so that load on the machine affects both. */
async function importTime(project, name) {
  writeFileSync(`${project}/empty.mjs`, "");
  writeFileSync(`${project}/import.mjs`, `import "${name}";\n`);
  /** @type {Record<string, number[]>} */
  const times = { "empty.mjs": [], "import.mjs": [] };
  for (let run = 0; run <= runs; run++) {
    for (const [file, list] of Object.entries(times)) {
      const started = performance.now();
      await runCommand(process.execPath, [file], { cwd: project });
      if (run > 0) list.push(performance.now() - started); // the first fills the disk cache
    }
  }
  return median(times["import.mjs"]) - median(times["empty.mjs"]);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

function table(head, rows) {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column].length)),
  );
  const line = (cells) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
      .join("  ");
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
