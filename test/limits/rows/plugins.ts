import { expect } from "vitest";
import { readPlugin } from "../../../packages/plugins/src/index.js";
import { MANIFEST, pluginFolder } from "../../../packages/plugins/test/plugin-folder.js";
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
]);

async function readingOf(bytes: number) {
  await using folder = await pluginFolder({ "plugin.json": JSON.stringify(MANIFEST).padEnd(bytes) });
  return await readPlugin(folder.root);
}
