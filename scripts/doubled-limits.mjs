// Doubles each documented default and limit in memory, one at a time, and runs its test, which must fail. Arguments, if
// any, are packages. Prints the rows whose test did not notice and ends with 1 where there is one.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createViteServer, startVitest } from "vitest/node";

const conditions = ["@skillwright/source"];
const test = "test/limits/documented-limits.test.ts";
const wanted = process.argv.slice(2);
const rows = (await limits()).filter((row) => wanted.length === 0 || wanted.includes(row.package));
const unnoticed = [];
for (const row of rows) if (!(await isNoticed(row))) unnoticed.push(`${row.package}: ${row.option}`);
for (const row of unnoticed) console.log(`not noticed: ${row}`);
console.log(`${rows.length - unnoticed.length} of ${rows.length} doubled values were noticed.`);
process.exit(unnoticed.length === 0 ? 0 : 1);

async function limits() {
  const server = await createViteServer({
    configFile: false,
    logLevel: "error",
    server: { middlewareMode: true, ws: false },
    ssr: { resolve: { conditions } },
  });
  try {
    return (await server.ssrLoadModule("/test/limits/limits.ts")).limits;
  } finally {
    await server.close();
  }
}

async function isNoticed({ package: name, option, value, unit, source: [file, text] }) {
  const title = `${name}: ${option} is ${value} ${unit} and no other`;
  const directory = mkdtempSync(join(tmpdir(), "skillwright-doubled-"));
  const report = join(directory, "report.json");
  let isDoubled = false;
  const doubling = {
    name: "doubling",
    enforce: "pre",
    transform(code, id) {
      if (!id.split("?")[0].endsWith(`/${file}`) || !code.includes(text)) return undefined;
      isDoubled = true;
      return code.replace(text, () => doubled(text));
    },
  };
  const vitest = await startVitest(
    "test",
    [test],
    {
      config: false,
      watch: false,
      reporters: ["json"],
      outputFile: report,
      testNamePattern: `^${escaped(title)}$`,
      testTimeout: 60_000,
    },
    { ssr: { resolve: { conditions } }, plugins: [doubling] },
  );
  await vitest?.close();
  process.exitCode = 0;
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"));
  rmSync(directory, { recursive: true, force: true });
  if (!isDoubled || numPassedTests + numFailedTests !== 1) throw new Error(`The row did not run: ${title}`);
  return numFailedTests === 1;
}

/** The first number twice as large; within quotes, such as "60s", as a number. */
function doubled(text) {
  return text.replace(/(?<![\w$])(["']?)(\d[\d_]*)/, (_, quote, number) =>
    quote ? `${quote}${2 * Number(number)}` : `2 * ${number}`,
  );
}

function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
