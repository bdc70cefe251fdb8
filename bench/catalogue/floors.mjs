import { readdirSync, readFileSync } from "node:fs";
import { readEach } from "../format/read-each.mjs";

/** Reading the same files and nothing else: what no loader that reads them whole can be faster than. */
export const floors = {
  "side by side": {
    title: "floor: every SKILL.md read, 16 at a time",
    folders: (directory) => readEach(directory, (text) => ({ text })),
    description: () => undefined,
  },
  "one by one": {
    title: "floor: every SKILL.md read, synchronously",
    folders: (directory) =>
      readdirSync(directory).map((name) => ({ text: readFileSync(`${directory}/${name}/SKILL.md`, "utf8") })),
    description: () => undefined,
  },
};
