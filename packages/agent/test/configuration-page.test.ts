import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { agentConfigSchema } from "../src/agent/agent-config-schema.js";

interface Described {
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

const HEAD = `# The agent's configuration

Fields of \`createAgent(config)\`, and of \`agent\` in \`skillwright.config.json\`. This page is generated from the schema that checks them: run
\`npx vitest run packages/agent/test/configuration-page.test.ts -u\` after a change. [The agent](../packages/agent/README.md) describes what they do.
Where there is no default, the part that the field is for has its own. In the terminal the command line decides \`modelConfig\`, \`session\`, \`agent\`, and \`kind\`, \`isolation\` and \`image\` of \`sandbox\`.

| field | values | default |
| --- | --- | --- |
`;

test("the page of the agent's configuration has every field of its schema", async () => {
  const schema = z.toJSONSchema(agentConfigSchema, { io: "input", unrepresentable: "any" }) as Described;
  const page = `${HEAD}${rowsOf(schema, "").join("\n")}\n`;
  const path = fileURLToPath(new URL("../../../docs/agent-configuration.md", import.meta.url));
  await expect(page).toMatchFileSnapshot(path);
});

function rowsOf({ properties = {}, required = [] }: Described, prefix: string): readonly string[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    if (field.properties) return rowsOf(field, `${path}.`);
    const fallback =
      field.default === undefined ? (required.includes(name) ? "required" : "none") : code(field.default);
    return [`| \`${path}\` | ${valuesOf(field)} | ${fallback} |`];
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
  return `${WORDS[type ?? ""] ?? "as its own page says"}${from}${to}`;
}

const WORDS: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "`true`, `false`",
  integer: "whole number",
  number: "number",
  object: "texts by name",
};

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}
