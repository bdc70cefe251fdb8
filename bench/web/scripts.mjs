import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { root } from "../../scripts/bootstrap/root.mjs";

const PAGE = `${root}/packages/web/dist/page/`;

/** The scripts that the page loads by itself. */
export async function measure() {
  const html = readFileSync(`${PAGE}index.html`, "utf8");
  const paths = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, path = ""]) => path);
  const bytes = paths.reduce((sum, path) => sum + gzipSync(readFileSync(PAGE + path)).length, 0);
  return `${(bytes / 1000).toFixed(0)} kB in ${paths.length} files`;
}
