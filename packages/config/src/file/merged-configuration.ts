import { resolve } from "node:path";
import type { Diagnostic, JsonObject, JsonValue } from "@skillwright/core";
import type { SkillSetting } from "@skillwright/skillbox";
import type { Environment } from "../clients/s3-client.js";
import { isMcpServer } from "../sources/skill-source.js";
import type { Configuration, ConfiguredRepository } from "./configuration.js";
import type { ConfigurationFile, ConfiguredSkill, ConfiguredSource } from "./configuration-file.js";
import { configuredStores } from "./configured-stores.js";
import { configuredText, configuredTexts, registeredSecret } from "./configured-text.js";

/** A part of the configuration and whether it is trusted. */
export interface ConfigurationLayer {
  readonly file: ConfigurationFile;
  /** Base of relative folders in it. */
  readonly cwd: string;
  readonly trusted: boolean;
}

type SkillsPart = NonNullable<ConfigurationFile["skills"]>;

/**
 * Merges configurations, highest precedence first. A single value is taken from the first that has it; named entries
 * are merged by name; a list replaces later ones, but a list of an untrusted file only narrows them and enables nothing
 * again.
 */
export function mergedConfiguration(
  layers: readonly ConfigurationLayer[],
  env: Environment,
  home: string | undefined,
  tell: (diagnostic: Diagnostic) => void,
): Configuration {
  const first = <Field extends keyof SkillsPart>(field: Field): SkillsPart[Field] =>
    layers.map(({ file }) => file.skills?.[field]).find((value) => value !== undefined);
  const sources = first("sources");
  const allow = narrowed(layers, "allow");
  const allowBundled = narrowed(layers, "allow_bundled");
  const passVariables = first("pass_env");
  const values = first("values");
  const tools = layers.map(({ file }) => file.tools).find((value) => value !== undefined);
  return {
    skills: {
      enabled: first("enabled") ?? true,
      ...(sources && { sources }),
      repositories: repositories(layers, env, tell),
      linkRoots: linkRoots(layers),
      maxIndexChars: first("max_index_chars") ?? 4000,
      maxListedSkills: first("max_listed_skills") ?? 32,
      ...(allow && { allow }),
      settings: {
        skills: skillSettings(layers, env, tell),
        ...(allowBundled && { allowBundled }),
        ...(passVariables && { passVariables }),
        ...(values && { values }),
      },
    },
    agent: mergedFields(layers.map(({ file }) => file.agent ?? {})),
    stores: configuredStores(layers, { env, home, tell }),
    ...(tools && { tools }),
    agentPromptReinjectEvery:
      layers
        .map(({ file }) => file.agent_prompt_reinject_every ?? file.gateway?.agent_prompt_reinject_every)
        .find((value) => value !== undefined) ?? 100,
  };
}

/** Objects are merged field by field at every depth; anything else is taken from the first that has it. */
function mergedFields(strongestFirst: readonly JsonObject[]): JsonObject {
  const merged: Record<string, JsonValue> = {};
  for (const fields of strongestFirst)
    for (const [name, value] of Object.entries(fields)) {
      const stronger = Object.hasOwn(merged, name) ? merged[name] : undefined;
      if (stronger === undefined) define(merged, name, value);
      else if (isObject(stronger) && isObject(value)) define(merged, name, mergedFields([stronger, value]));
    }
  return merged;
}

/** Also for a name such as `__proto__`. */
function define(target: object, name: string, value: JsonValue): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function narrowed(
  layers: readonly ConfigurationLayer[],
  field: "allow" | "allow_bundled",
): readonly string[] | undefined {
  return [...layers].reverse().reduce<readonly string[] | undefined>((weaker, { file, trusted }) => {
    const own = file.skills?.[field];
    if (own === undefined) return weaker;
    return trusted || weaker === undefined ? own : own.filter((name) => weaker.includes(name));
  }, undefined);
}

function repositories(
  layers: readonly ConfigurationLayer[],
  env: Environment,
  tell: (diagnostic: Diagnostic) => void,
): readonly ConfiguredRepository[] {
  const all = new Map<string, ConfiguredRepository>();
  for (const { file, cwd, trusted } of layers)
    for (const [name, given] of Object.entries(file.skills?.repositories ?? {})) {
      const one: ConfiguredSource = typeof given === "string" ? { source: given } : given;
      const { source, trusted: wanted = !isMcpServer(source) } = one;
      if (one.env && !/^\s*mcp\+stdio:/i.test(source)) tell(unusedVariables(name));
      // An untrusted file cannot replace a trusted entry of the same name.
      if (!all.has(name) || (trusted && !all.get(name)?.trusted))
        all.set(name, {
          ...{ name, source, cwd, trusted: trusted && wanted },
          ...(one.env && {
            environment: configuredTexts(one.env, `skills.repositories.${name}.env`, env, tell),
          }),
        });
    }
  return [...all.values()];
}

function unusedVariables(name: string): Diagnostic {
  return {
    code: "configuration.unused",
    severity: "warning",
    message: `\`skills.repositories.${name}.env\` is not used: only an MCP server that is started has variables.`,
    hint: "Remove it, or give a source with mcp+stdio:.",
  };
}

function linkRoots(layers: readonly ConfigurationLayer[]): readonly string[] {
  const { file, cwd } = layers.find((layer) => layer.file.skills?.link_roots !== undefined) ?? {};
  const given = file?.skills?.link_roots ?? [];
  return given.map((path) => (/^~(\/|$)/.test(path) ? path : resolve(cwd ?? "", path)));
}

function skillSettings(
  layers: readonly ConfigurationLayer[],
  env: Environment,
  tell: (diagnostic: Diagnostic) => void,
): Readonly<Record<string, SkillSetting>> {
  const all = new Map<string, ConfiguredSkill>();
  for (const { file, trusted } of [...layers].reverse())
    for (const [key, entry] of Object.entries(file.skills?.entries ?? {})) {
      const weaker = all.get(key) ?? {};
      const enabled = !trusted && weaker.enabled === false ? false : (entry.enabled ?? weaker.enabled);
      all.set(key, { ...weaker, ...entry, enabled, env: { ...weaker.env, ...entry.env } });
    }
  return Object.fromEntries([...all].map(([key, entry]) => [key, settingOf(key, entry, env, tell)]));
}

function settingOf(
  key: string,
  { enabled, env: variables = {}, api_key, config }: ConfiguredSkill,
  env: Environment,
  tell: (diagnostic: Diagnostic) => void,
): SkillSetting {
  const at = `skills.entries.${key}`;
  const texts = configuredTexts(variables, `${at}.env`, env, tell);
  const apiKey = api_key === undefined ? undefined : configuredText(api_key, `${at}.api_key`, env, tell);
  return {
    ...(enabled !== undefined && { enabled }),
    ...(Object.keys(texts).length > 0 && { env: texts }),
    // A key written directly in the file also counts.
    ...(apiKey !== undefined && {
      apiKey: typeof apiKey === "string" ? registeredSecret(apiKey, `${at}.api_key`, tell) : apiKey,
    }),
    ...(config !== undefined && { config }),
  };
}
