import { readdirSync, readFileSync } from "node:fs";
import { readEach } from "../format/read-each.mjs";

/** Only reads the same files: the lower bound of every loader that reads whole files. */
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
