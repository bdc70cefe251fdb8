import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { pluginFiles } from "../../../packages/cli/src/plugin/plugin-files.js";
import { readPlugin } from "../../../packages/plugins/src/index.js";
import { MANIFEST, pluginFolder } from "../../../packages/plugins/test/plugin-folder.js";
import { takesAtMost } from "../boundary.js";
import { limitsOf, MIB } from "../limit.js";

export const pluginLimits = limitsOf("plugins", [
  {
    option: "a JSON file of a plugin",
    kind: "limit",
    value: MIB,
    unit: "bytes",
    documented: ["README.md", "a JSON file of more than 1 MiB"],
    source: ["src/files/json-text.ts", "MOST_BYTES = 1024 * 1024"],
    probe: async (value) => {
      expect(await readingOf(value)).toMatchObject({ manifest: { name: MANIFEST.name } });
      await expect(readingOf(value + 1)).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
    },
  },
  {
    option: "objects and lists inside each other, in such a file",
    kind: "limit",
    value: 1000,
    unit: "levels",
    documented: ["README.md", "a JSON file of more than 1,000 levels"],
    source: ["src/files/json-text.ts", "MOST_LEVELS = 1000"],
    probe: async (value) => {
      const reading = async (levels: number) => {
        // The manifest itself is one of them.
        const lists = "[".repeat(levels - 1) + "]".repeat(levels - 1);
        await using folder = await pluginFolder({
          "plugin.json": JSON.stringify({ ...MANIFEST, other: 0 }).replace(":0", `:${lists}`),
        });
        return await readPlugin(folder.root);
      };
      await takesAtMost(value, reading, "CONFIG_INVALID");
    },
  },
]);

/** Of the command line: what a plugin has that is packed or installed. */
export const packedPluginLimits = limitsOf("cli", [
  {
    option: "files of a plugin that is packed or installed",
    kind: "limit",
    value: 4096,
    unit: "files",
    documented: ["README.md", "at most 4,096 files and 64 MiB"],
    source: ["src/plugin/plugin-files.ts", "MOST_FILES = 4096"],
    probe: async (value) => {
      await using folder = await pluginFolder({});
      const names = Array.from({ length: value + 1 }, (_, n) => String(n));
      await Promise.all(names.map((name) => writeFile(join(folder.root, name), "")));
      const reading = (count: number) => pluginFiles(folder.root, (path) => Number(path) < count);
      await takesAtMost(value, reading);
    },
  },
  {
    option: "bytes of a plugin that is packed or installed",
    kind: "limit",
    value: 64 * MIB,
    unit: "bytes",
    documented: ["README.md", "at most 4,096 files and 64 MiB"],
    source: ["src/plugin/plugin-files.ts", "MOST_BYTES = 64 * 1024 * 1024"],
    probe: async (value) =>
      await takesAtMost(value, async (bytes) => {
        await using folder = await pluginFolder({ one: "1", other: "" });
        await truncate(join(folder.root, "other"), bytes - 1);
        return await pluginFiles(folder.root, () => true);
      }),
  },
]);

async function readingOf(bytes: number) {
  await using folder = await pluginFolder({ "plugin.json": JSON.stringify(MANIFEST).padEnd(bytes) });
  return await readPlugin(folder.root);
}
