import { expect, test } from "vitest";
import { type PluginManifest, pluginManifestText, readPlugin } from "../src/index.js";
import { pluginFolder, SCHEMA } from "./plugin-folder.js";

test("PLUGIN-30: a manifest is written so that it is read again, with its $schema first", async () => {
  const manifest: PluginManifest = {
    ...{ name: "acme.tools", version: "1.0.0", author: { name: "A" }, keywords: ["a"] },
    extensions: { "com.example.client": { setting: true } },
  };
  const text = pluginManifestText(manifest);
  expect(text).toBe(`${JSON.stringify({ $schema: SCHEMA, ...manifest }, undefined, 2)}\n`);
  await using folder = await pluginFolder({ "plugin.json": text });
  expect(await readPlugin(folder.root)).toMatchObject({ manifest, diagnostics: [] });
});

test.each<[string, object]>([
  ["a bad name", { name: "A" }],
  ["a field of the wrong type", { name: "a", version: 1 }],
  ["a field that readers ignore", { name: "a", skills: "./skills" }],
  ["extensions that readers ignore", { name: "a", extensions: [] }],
])("PLUGIN-30: a manifest with %s is not written", (_, manifest) => {
  expect(() => pluginManifestText(manifest as PluginManifest)).toThrow(
    expect.objectContaining({ code: "CONFIG_INVALID" }),
  );
});
