import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";

/** One hash over the names and contents of files; a missing file counts as missing, not as empty. */
export function contentFingerprint(files, ...facts) {
  const hash = createHash("sha256").update(JSON.stringify(facts));
  for (const file of files) {
    hash.update(`\0${file}\0`);
    hash.update(existsSync(file) ? readFileSync(file) : "missing");
  }
  return hash.digest("hex");
}

/** One hash over names, sizes and times of everything below a directory, to detect changes by others. */
export function touchFingerprint(directory) {
  const hash = createHash("sha256");
  for (const file of filesBelow(directory)) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`\0${file}\0${size}\0${mtimeMs}`);
  }
  return hash.digest("hex");
}

/** Absolute paths of the files below a directory, sorted; directories whose name is in `except` are omitted. */
export function filesBelow(directory, except = new Set()) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => !except.has(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${directory}/${entry.name}`;
      if (entry.isDirectory()) return filesBelow(path, except);
      return entry.isFile() ? [path] : [];
    });
}
