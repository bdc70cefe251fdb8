import { type Diagnostic, type JsonObject, type JsonValue, SkillError } from "@skillwright/core";
import { isObject } from "../files/json-text.js";
import type { PluginManifest } from "../plugin.js";
import { pluginDiagnostic } from "../plugin-diagnostic.js";
import { type FieldProblem, fieldProblem, manifestInvalid } from "./field-problem.js";
import { metadataProblems, NAME_FORM } from "./metadata-problems.js";
import { isPluginName } from "./plugin-name.js";

/** Identifies the manifests that are supported: version 1.0.0. It is compared and never fetched. */
export const MANIFEST_SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";

const FIELDS: ReadonlySet<string> = new Set([
  ...["$schema", "name", "version", "description", "author"],
  ...["homepage", "repository", "license", "keywords", "extensions"],
]);

/**
 * Checks the content of `plugin.json`. Unknown fields, and `extensions` that are no object, are reported and left out.
 * @throws SkillError `UNSUPPORTED` for the `$schema` of another version, `CONFIG_INVALID` for anything else.
 */
export function checkManifest(value: JsonValue, tell: (diagnostic: Diagnostic) => void): PluginManifest {
  if (!isObject(value)) throw manifestInvalid(FILE, [fieldProblem("(the whole)", value, "an object")]);
  checkVersion(value);
  const hasExtensions = value["extensions"] === undefined || isObject(value["extensions"]);
  const problems = [
    ...(typeof value["name"] === "string" && isPluginName(value["name"])
      ? []
      : [fieldProblem("name", value["name"], NAME_FORM)]),
    ...metadataProblems(value),
    ...(hasExtensions ? extensionProblems(value["extensions"]) : []),
  ];
  if (problems.length > 0) throw manifestInvalid(FILE, problems);
  for (const field of Object.keys(value)) if (!FIELDS.has(field)) tell(unknownField(field));
  if (!hasExtensions) tell(EXTENSIONS_IGNORED);
  const used = Object.entries(value).filter(
    ([field]) => FIELDS.has(field) && field !== "$schema" && (field !== "extensions" || hasExtensions),
  );
  return Object.fromEntries(used) as unknown as PluginManifest;
}

const FILE = "plugin.json";

function checkVersion({ $schema }: JsonObject): void {
  if ($schema === MANIFEST_SCHEMA) return;
  if (typeof $schema !== "string" || $schema === "")
    throw manifestInvalid(FILE, [fieldProblem("$schema", $schema, `the text ${MANIFEST_SCHEMA}`)]);
  throw new SkillError(
    "UNSUPPORTED",
    `plugin.json has the $schema ${JSON.stringify($schema.slice(0, 200))}, of a version that is not supported. The supported one is ${MANIFEST_SCHEMA}.`,
    { details: { schema: $schema, supported: [MANIFEST_SCHEMA] } },
  );
}

function extensionProblems(extensions: JsonValue = {}): readonly FieldProblem[] {
  return Object.entries(extensions as JsonObject)
    .filter(([, value]) => !isObject(value))
    .map(([namespace, value]) => fieldProblem(`extensions.${namespace}`, value, "an object"));
}

function unknownField(field: string): Diagnostic {
  return pluginDiagnostic(
    ["plugin.unknown-field", "warning"],
    `plugin.json has the field ${JSON.stringify(field)}, which the format does not know; it is ignored.`,
    "Remove it, correct its spelling, or move it below the namespace of its client in `extensions`.",
    FILE,
  );
}

const EXTENSIONS_IGNORED = pluginDiagnostic(
  ["plugin.extensions-ignored", "warning"],
  "The field `extensions` of plugin.json is not an object; it is ignored.",
  "Make it an object of objects, with a namespace such as `com.example.client` for each.",
  FILE,
);
