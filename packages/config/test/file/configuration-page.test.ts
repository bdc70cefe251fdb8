import { fileURLToPath } from "node:url";
import type { JsonObject } from "@skillwright/core";
import { expect, test } from "vitest";
import { agentJsonSchema, configurationJsonSchema } from "../../src/file/configuration-schema.js";

interface Described {
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly anyOf?: readonly Described[];
  readonly items?: Described;
  readonly required?: readonly string[];
}

const HEAD = `# The configuration

This page is generated from the schema that checks the fields, which is also the JSON Schema that editors use for \`skillwright.config.json\`: run
\`npx vitest run packages/config/test/file/configuration-page.test.ts -u\` after a change. Where there is no default, the part that the field is for has its own.

`;

const AGENT = `## The agent

Fields of \`createAgent(config)\`, and of \`agent\` in \`skillwright.config.json\`, where all are optional.
[The agent](../packages/agent/README.md) describes what they do. In the terminal the command line decides \`templateId\`, \`skillsPackage\`,
\`session\` and \`agent\`; \`--model\`, \`--no-stream\`, \`--runtime\`, \`--isolation\`, \`--image\` and \`--workspace\` replace what the file has, and keys come from variables.

`;

const REST = `
## The rest of the file

[The configuration file](../packages/config/README.md#the-configuration-file) describes where it is read from and what of a project's file is used.

`;

const TABLE = `| field | values | default | meaning |
| --- | --- | --- | --- |
`;

const agent = agentJsonSchema() as Described;
const { agent: part, $schema: _schema, ...rest } = propertiesOf(configurationJsonSchema());

test("the page of the configuration has every field of its schema", async () => {
  const page = [
    ...[HEAD, AGENT, TABLE, ...rowsOf(agent, "")],
    ...[REST, TABLE, ...rowsOf({ properties: rest }, "")],
  ];
  const path = fileURLToPath(new URL("../../../../docs/agent-configuration.md", import.meta.url));
  await expect(page.join("")).toMatchFileSnapshot(path);
});

test("AGENT-11: the file's schema contains the agent's, with a description of every field and all defaults", () => {
  const columns = (schema: Described) =>
    rowsOf(schema, "").map((row) => row.replace("| required |", "| none |"));
  expect(columns(part ?? {})).toEqual(columns(agent));
  expect(columns(agent).filter((row) => row.endsWith("|  |\n"))).toEqual([]);
  expect(columns({ properties: rest }).filter((row) => row.endsWith("|  |\n"))).toEqual([]);
});

function propertiesOf(schema: JsonObject): Readonly<Record<string, Described>> {
  return (schema as Described).properties ?? {};
}

function rowsOf({ properties = {}, required = [] }: Described, prefix: string): readonly string[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    if (field.properties) return rowsOf(field, `${path}.`);
    const fallback =
      field.default === undefined ? (required.includes(name) ? "required" : "none") : code(field.default);
    return [`| \`${path}\` | ${valuesOf(field)} | ${fallback} | ${field.description ?? ""} |\n`];
  });
}

function valuesOf(field: Described): string {
  if (field.enum) return field.enum.map(code).join(", ");
  if (field.const !== undefined) return code(field.const);
  if (field.anyOf) return [...new Set(field.anyOf.map(valuesOf))].join("; or ");
  if (field.items) return `list of ${valuesOf(field.items)}`;
  if (field.properties)
    return `{ ${Object.entries(field.properties)
      .map(([name, inner]) => `\`${name}\`: ${valuesOf(inner)}`)
      .join(", ")} }`;
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER, type } = field;
  const from = minimum > Number.MIN_SAFE_INTEGER ? ` from ${minimum}` : "";
  const to = maximum < Number.MAX_SAFE_INTEGER ? ` to ${maximum}` : "";
  return `${WORDS[type ?? ""] ?? "any value"}${from}${to}`;
}

const WORDS: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "`true`, `false`",
  integer: "whole number",
  number: "number",
  object: "values by name",
};

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}
