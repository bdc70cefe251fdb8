import { existsSync, readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { SourceMap } from "node:module";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../../scripts/bootstrap/root.mjs";

/**
 * The functions of our packages that were entered while `call` ran, by source file. Whatever else the process does then counts too. Each
 * function counts once, also one without a name.
 *
 * @param {() => Promise<unknown>} call
 * @returns {Promise<Map<string, Set<string>>>} names with lines, by path from the root
 */
export async function entered(call) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  // Taking the coverage resets its counts.
  await session.post("Profiler.takePreciseCoverage");
  await call();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  session.disconnect();
  /** @type {Map<string, Set<string>>} */
  const files = new Map();
  for (const { url, functions } of result.filter(({ url }) => url.startsWith(`file://${root}/packages/`))) {
    const places = sourcePlaces(fileURLToPath(url));
    for (const { functionName, ranges } of functions) {
      const [range] = ranges;
      // The function that starts at 0 is the module itself.
      if (!range || range.count === 0 || range.startOffset === 0) continue;
      const { file, line } = places(range.startOffset);
      if (!files.has(file)) files.set(file, new Set());
      files.get(file)?.add(`${functionName || "(no name)"}:${line}`);
    }
  }
  return files;
}

/** Finds the source of an offset in a built file. @param {string} built */
function sourcePlaces(built) {
  const text = readFileSync(built, "utf8");
  // A file that is published as it was written has no map.
  const map = existsSync(`${built}.map`)
    ? new SourceMap(JSON.parse(readFileSync(`${built}.map`, "utf8")))
    : undefined;
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (/** @type {number} */ offset) => {
    const line = starts.findLastIndex((start) => start <= offset);
    const entry = map?.findEntry(line, offset - (starts[line] ?? 0));
    if (!entry || !("originalSource" in entry)) return { file: relative(root, built), line: line + 1 };
    const source = new URL(entry.originalSource, `file://${built}`);
    return { file: relative(root, fileURLToPath(source)), line: entry.originalLine + 1 };
  };
}

/** @param {Map<string, Set<string>>} files */
export function told(files) {
  const functions = [...files.values()].reduce((total, { size }) => total + size, 0);
  const packages = new Set([...files.keys()].map((file) => file.split("/")[1]));
  if (process.argv.includes("--files"))
    for (const [file, names] of [...files].sort(([a], [b]) => (a < b ? -1 : 1)))
      console.error(`${file}: ${[...names].join(", ")}`);
  return `${files.size} files, ${functions} functions, ${packages.size} packages`;
}
