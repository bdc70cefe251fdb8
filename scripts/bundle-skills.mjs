import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ordersCsv } from "./skill-sources/orders-csv.mjs";
import { pdfSkillFiles } from "./skill-sources/pdf-to-markdown.build.mjs";
import { samplePdf } from "./skill-sources/sample-pdf.mjs";

// Writes all generated files below skills/ and data/. With --check nothing is written: the exit code
// is 1 if a committed file differs from what would be written.

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const check = process.argv.includes("--check");
let different = 0;

for (const [path, content] of Object.entries(await builtFiles())) {
  const bytes = Buffer.from(content);
  const before = await readFile(join(ROOT, path)).catch(() => undefined);
  const state = before?.equals(bytes) ? "same" : before ? "different" : "new";
  console.log(`${state.padEnd(9)} ${path} (${bytes.length} bytes)`);
  if (state === "same") continue;
  different++;
  if (check) continue;
  await mkdir(dirname(join(ROOT, path)), { recursive: true });
  await writeFile(join(ROOT, path), bytes);
}
if (check && different > 0) {
  console.error(`${different} files differ from their sources. Run: node scripts/bundle-skills.mjs`);
  process.exitCode = 1;
}

async function builtFiles() {
  const files = {
    "data/orders.csv": ordersCsv({ rows: 400, seed: 2025 }),
    "skills/csv-analyst/assets/orders-sample.csv": ordersCsv({ rows: 40, seed: 7 }),
    "skills/pdf-to-markdown/assets/sample.pdf": samplePdf(),
  };
  for (const [path, content] of Object.entries(await pdfSkillFiles()))
    files[`skills/pdf-to-markdown/${path}`] = content;
  return files;
}
