// Doubles documented defaults and limits in memory, one per package at a time, and runs their tests, each of which
// must fail. Arguments, if any, are packages. Prints the rows whose test still passes, and then exits with 1.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createViteServer, startVitest } from "vitest/node";

const conditions = ["@skillwright/source"];
const tests = ["test/limits/documented-limits.test.ts", "test/limits/limits-of-programs.test.ts"];
const wanted = process.argv.slice(2);
const rows = (await limits()).filter((row) => wanted.length === 0 || wanted.includes(row.package));
const unnoticed = [];
for (const batch of batches(rows)) unnoticed.push(...(await unnoticedOf(batch)));
for (const title of unnoticed) console.log(`not noticed: ${title}`);
console.log(`${rows.length - unnoticed.length} of ${rows.length} doubled values were noticed.`);
process.exit(unnoticed.length === 0 ? 0 : 1);

async function limits() {
  const server = await createViteServer({
    configFile: false,
    logLevel: "error",
    // Node 22 does not support `await using`.
    oxc: { target: "node22" },
    server: { middlewareMode: true, ws: false },
    ssr: { resolve: { conditions } },
  });
  try {
    return (await server.ssrLoadModule("/test/limits/limits.ts")).limits;
  } finally {
    await server.close();
  }
}

/** Rows of one package are never combined, because one value may hide another. */
function batches(rows) {
  const all = [];
  const counts = new Map();
  for (const row of rows) {
    const index = counts.get(row.package) ?? 0;
    counts.set(row.package, index + 1);
    all[index] = [...(all[index] ?? []), row];
  }
  return all;
}

async function unnoticedOf(batch) {
  const directory = mkdtempSync(join(tmpdir(), "skillwright-doubled-"));
  const report = join(directory, "report.json");
  const doubled = new Set();
  const doubling = {
    name: "doubling",
    enforce: "pre",
    transform(code, id) {
      const here = batch.filter(({ source: [file] }) => id.split("?")[0].endsWith(`/${file}`));
      for (const row of here) doubled.add(row);
      return here.reduce((text, { source }) => text.replace(source[1], twice), code);
    },
  };
  const options = {
    config: /** @type {const} */ (false),
    watch: false,
    reporters: ["json"],
    outputFile: report,
    testTimeout: 120_000,
  };
  const names = batch.map((row) => titleOf(row).replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const vitest = await startVitest(
    "test",
    tests,
    { ...options, testNamePattern: `^(${names.join("|")})$` },
    { ssr: { resolve: { conditions } }, plugins: [doubling] },
  );
  await vitest?.close();
  process.exitCode = 0;
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  rmSync(directory, { recursive: true, force: true });
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = new Set(results.filter(({ status }) => status === "failed").map(({ fullName }) => fullName));
  return batch.filter((row) => !doubled.has(row) || !failed.has(titleOf(row))).map(titleOf);
}

function titleOf({ package: name, option, value, unit }) {
  return `${name}: ${option} is ${value} ${unit} and no other`;
}

/** The text with its first number doubled; within quotes, such as "60s", as a number. */
function twice(text) {
  return text.replace(/(?<![\w$])(["']?)(\d[\d_]*)/, (_, quote, number) =>
    quote ? `${quote}${2 * Number(number)}` : `2 * ${number}`,
  );
}
