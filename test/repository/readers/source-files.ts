import { existsSync, readdirSync, readFileSync } from "node:fs";
import { root } from "./packages.js";

export interface SourceFile {
  /** Relative to the root, with slashes. */
  path: string;
  text: string;
}

/** Directories of generated files. `fixtures` contain output of other programs. */
const notWritten = new Set(["node_modules", "dist", "coverage", "fixtures", "artifacts"]);

/** Every file below a directory of the root with a matching name, sorted; empty if the directory does not exist. */
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

/** Of the entries that begin with a dot, only committed ones that people or CI read. */
function hidden(name: string): boolean {
  return name.startsWith(".") && ![".ci", ".github", ".changeset"].includes(name);
}
