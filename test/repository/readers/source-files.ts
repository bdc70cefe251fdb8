import { existsSync, readdirSync, readFileSync } from "node:fs";
import { root } from "./packages.js";

export interface SourceFile {
  /** Relative to the root, with slashes. */
  path: string;
  text: string;
}

/** Folders that are made, not written. `fixtures` hold what other programs made. */
const notWritten = new Set(["node_modules", "dist", "coverage", "fixtures", "artifacts"]);

/** Every file below a folder of the root whose name passes, sorted; none where there is no such folder. */
export function sourceFiles(folder: string, name = /\.(ts|mts|mjs|js)$/): SourceFile[] {
  return paths(folder)
    .filter((path) => name.test(path))
    .map((path) => ({ path, text: readFileSync(`${root}/${path}`, "utf8") }));
}

function paths(folder: string): string[] {
  if (!existsSync(`${root}/${folder}`)) return [];
  return readdirSync(`${root}/${folder}`, { withFileTypes: true })
    .filter(({ name }) => !notWritten.has(name) && !hidden(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return paths(path);
      return entry.isFile() ? [path] : [];
    });
}

/** Of what begins with a dot only what is committed and read by people or by CI. */
function hidden(name: string): boolean {
  return name.startsWith(".") && ![".ci", ".github", ".changeset"].includes(name);
}
