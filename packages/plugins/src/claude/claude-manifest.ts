import type { JsonObject, JsonValue } from "@skillwright/core";
import { isObject } from "../files/json-text.js";
import { fieldProblem, manifestInvalid } from "../manifest/field-problem.js";
import { metadataProblems } from "../manifest/metadata-problems.js";
import type { PluginManifest } from "../plugin.js";

export const CLAUDE_MANIFEST = ".claude-plugin/plugin.json";

/**
 * Checks the metadata of a manifest of Claude Code; its other fields are left out.
 * @throws SkillError `CONFIG_INVALID` without a usable name, or with metadata of the wrong type.
 */
export function claudeManifest(value: JsonValue): PluginManifest {
  if (!isObject(value))
    throw manifestInvalid(CLAUDE_MANIFEST, [fieldProblem("(the whole)", value, "an object")]);
  // People write the author's name alone, which Claude Code's own tools accept.
  const { author } = value;
  const fields: JsonObject = typeof author === "string" ? { ...value, author: { name: author } } : value;
  const isNamed = typeof fields["name"] === "string" && CLAUDE_NAME.test(fields["name"]);
  const problems = [
    ...(isNamed ? [] : [fieldProblem("name", fields["name"], "1 to 64 letters, digits, `-`, `_` and `.`")]),
    ...metadataProblems(fields),
  ];
  if (problems.length > 0) throw manifestInvalid(CLAUDE_MANIFEST, problems);
  const used = CLAUDE_METADATA.filter((field) => fields[field] !== undefined);
  return Object.fromEntries(used.map((field) => [field, fields[field]])) as unknown as PluginManifest;
}

/** Every such name can be the name of a folder. */
const CLAUDE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export const CLAUDE_METADATA = [
  "name",
  "version",
  "description",
  "author",
  "homepage",
  "repository",
  "license",
  "keywords",
];
