import type { JsonValue } from "@skillwright/core";
import type { PluginManifest } from "../plugin.js";
import { checkManifest, MANIFEST_SCHEMA } from "./check-manifest.js";
import { fieldProblem, manifestInvalid } from "./field-problem.js";

/**
 * The text of a `plugin.json`, with `$schema` first. The same manifest gives the same text.
 * @throws SkillError `CONFIG_INVALID` for a manifest that readers reject, or with a field that they ignore.
 */
export function pluginManifestText(manifest: PluginManifest): string {
  // As a reader gets it: without undefined fields, and without anything that JSON does not have.
  const written = JSON.parse(JSON.stringify({ ...manifest, $schema: MANIFEST_SCHEMA })) as JsonValue;
  checkManifest(written, ({ message }) => {
    throw manifestInvalid("plugin.json", [fieldProblem("(the whole)", message, "known fields only")]);
  });
  return `${JSON.stringify({ $schema: MANIFEST_SCHEMA, ...(written as object) }, undefined, 2)}\n`;
}
