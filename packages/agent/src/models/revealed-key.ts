import { Secret } from "@skillwright/core";
import type { ModelConfig } from "../agent/agent-config.js";

/** The key of the configuration, or for `anthropic` that of the variable which its package reads. */
export function revealedKey({ provider, apiKey }: ModelConfig): string | undefined {
  if (apiKey instanceof Secret) return apiKey.reveal();
  return apiKey ?? (provider === "anthropic" ? process.env["ANTHROPIC_API_KEY"] : undefined);
}
