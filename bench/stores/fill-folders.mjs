import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Writes the catalogue as directories. */
export function fillFolders(root, skills) {
  for (const { folder, files } of skills) {
    const made = new Set();
    for (const { path, bytes } of files) {
      const target = `${root}/${folder}/${path}`;
      if (!made.has(dirname(target))) mkdirSync(dirname(target), { recursive: true });
      made.add(dirname(target));
      writeFileSync(target, bytes);
    }
  }
}
