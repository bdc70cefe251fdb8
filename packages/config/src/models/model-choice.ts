import { SkillError } from "@skillwright/core";
import type { Configuration } from "../file/configuration.js";
import { PROVIDERS, type ProviderEntry } from "./providers.js";
import { isUsableKey, USABLE_KEY } from "./usable-key.js";

/** The selected model, and what determined it, for people. */
export interface ModelChoice {
  readonly provider: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
  readonly baseURL?: string | undefined;
  /** `--model`, `configuration file`, the variable with the key, or `no key found`. */
  readonly because: string;
}

/** What the configuration file says about the model. */
export interface ConfiguredModel {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly baseURL?: string | undefined;
}

/**
 * The model of `--model provider:name`; without it that of the configuration, then the first provider whose key is set,
 * otherwise the offline planner. An address in the configuration belongs to the configured provider.
 * @throws SkillError `CONFIG_INVALID` for an unknown provider, for a missing key, and for one that no HTTP header can carry, saying what to set.
 */
export function modelChoice(
  asked: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  configured: ConfiguredModel = {},
): ModelChoice {
  if (asked === undefined && configured.provider !== undefined) {
    const { provider, model, baseURL } = configured;
    const chosen = named(model === undefined ? provider : `${provider}:${model}`, env, "configuration file");
    return { ...chosen, ...(baseURL !== undefined && { baseURL }) };
  }
  if (asked === undefined) {
    const found = Object.entries(PROVIDERS).find(([, entry]) => entry.keyVariable && env[entry.keyVariable]);
    if (!found) return { ...OFFLINE, because: "no key found" };
    return choice(...found, undefined, env, `${found[1].keyVariable} is set`);
  }
  return named(asked, env, "--model");
}

/**
 * What the configuration file says about the model.
 * @throws SkillError `CONFIG_INVALID` for a key in the file.
 */
export function configuredModel({ agent }: Pick<Configuration, "agent">): ConfiguredModel {
  const model = Object(agent["modelConfig"]) as ConfiguredModel & { readonly apiKey?: unknown };
  if (model.apiKey === undefined) return model;
  throw new SkillError(
    "CONFIG_INVALID",
    "agent.modelConfig.apiKey of the configuration is not used: keys are read from variables only. Remove it, and set OPENAI_API_KEY or ANTHROPIC_API_KEY.",
    { details: { fields: [{ path: "agent.modelConfig.apiKey" }] } },
  );
}

function named(
  asked: string,
  env: Readonly<Record<string, string | undefined>>,
  because: string,
): ModelChoice {
  const [provider = "", ...rest] = asked.split(":");
  if (provider === OFFLINE.provider) return { ...OFFLINE, because };
  const entry = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider] : undefined;
  if (!entry) throw unknownProvider(asked);
  return choice(provider, entry, rest.join(":") || undefined, env, because);
}

const OFFLINE = { provider: "offline", model: "offline planner" } as const;

function choice(
  provider: string,
  entry: ProviderEntry,
  model: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  because: string,
): ModelChoice {
  const apiKey = env[entry.keyVariable];
  if (!apiKey) throw missingKey(provider, entry);
  if (!isUsableKey(apiKey)) throw unusableKey(entry);
  const baseURL = entry.baseURLVariable && env[entry.baseURLVariable];
  return {
    provider,
    model: model ?? entry.defaultModel,
    apiKey,
    ...(baseURL ? { baseURL } : {}),
    because,
  };
}

function missingKey(provider: string, entry: ProviderEntry): SkillError {
  const own = entry.baseURLVariable
    ? ` For your own server, set ${entry.baseURLVariable} too; if it needs no key, any text works.`
    : "";
  return new SkillError(
    "CONFIG_INVALID",
    `The model provider "${provider}" needs a key and ${entry.keyVariable} is not set. ` +
      `Set it (export ${entry.keyVariable}=...) or leave out --model to use the offline planner.${own}`,
    { details: { variable: entry.keyVariable } },
  );
}

function unusableKey({ keyVariable }: ProviderEntry): SkillError {
  const message = `The key in ${keyVariable} is not usable; expected ${USABLE_KEY}.`;
  return new SkillError("CONFIG_INVALID", message, { details: { variable: keyVariable } });
}

function unknownProvider(asked: string): SkillError {
  const names = [...Object.keys(PROVIDERS), OFFLINE.provider].join(", ");
  return new SkillError(
    "CONFIG_INVALID",
    `The model ${JSON.stringify(asked)} has no known provider. Write --model provider:name with one of: ${names}.`,
  );
}
