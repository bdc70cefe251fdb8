import { isUsableKey, USABLE_KEY } from "@skillwright/config";
import { Secret, SkillError } from "@skillwright/core";
import type { ModelConfig } from "../agent/agent-config.js";

/** @throws SkillError `CONFIG_INVALID` for a key that no HTTP header can carry. The message does not show it. */
export function checkModelKey(config: Pick<ModelConfig, "provider" | "apiKey">): void {
  const key = revealedKey(config);
  if (!key || isUsableKey(key)) return;
  const place = config.apiKey === undefined ? "ANTHROPIC_API_KEY" : "modelConfig.apiKey";
  const message = `${place}: the key is not usable; expected ${USABLE_KEY}.`;
  throw new SkillError("CONFIG_INVALID", message, { details: { fields: [{ path: place }] } });
}

/** The configured key. For `anthropic` it defaults to the variable that its package reads. */
export function revealedKey({
  provider,
  apiKey,
}: Pick<ModelConfig, "provider" | "apiKey">): string | undefined {
  if (apiKey instanceof Secret) return apiKey.reveal();
  return apiKey ?? (provider === "anthropic" ? process.env["ANTHROPIC_API_KEY"] : undefined);
}
