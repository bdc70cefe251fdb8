import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { defineConfiguration } from "../../src/file/configuration-file.js";
import { configurationJsonSchema } from "../../src/file/configuration-schema.js";

test("the schema for editors is the one used for validation (regenerate: pnpm --filter @skillwright/config schema)", async () => {
  const published = await readFile(new URL("../../skillwright.config.schema.json", import.meta.url), "utf8");
  expect(JSON.parse(published)).toEqual(configurationJsonSchema());
});

test("defineConfiguration accepts every field of the schema", () => {
  const named = defineConfiguration({
    $schema: "x",
    skills: {
      enabled: true,
      sources: ["project", "user", "plugin", "package", "bundled"],
      repositories: { a: "./a", b: { source: "./b", trusted: false } },
      link_roots: [],
      max_index_chars: 1,
      max_listed_skills: 1,
      allow: [],
      allow_bundled: [],
      pass_env: [],
      values: {},
      entries: { a: { enabled: true, env: { A: "a", B: { from: "B" } }, api_key: "k", config: { a: [1] } } },
    },
    agent: { maxSteps: 1 },
    stores: {
      records: { from: "RECORDS" },
      artifacts: "./outputs",
      keep: { eventsMs: 60_000, outputsMs: false },
    },
    agent_prompt_reinject_every: 0,
    gateway: { agent_prompt_reinject_every: 0 },
    tools: [],
    trusted_projects: [],
  });
  const { properties } = configurationJsonSchema() as unknown as Properties;
  expect(Object.keys(named).sort()).toEqual(Object.keys(properties).sort());
  expect(Object.keys(named.skills ?? {}).sort()).toEqual(Object.keys(properties.skills.properties).sort());
});

interface Properties {
  readonly properties: { readonly skills: { readonly properties: object } };
}
