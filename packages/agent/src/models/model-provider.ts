import type { LanguageModelV4 } from "@ai-sdk/provider";
import { SkillError } from "@skillwright/core";
import type { ModelConfig } from "../agent/agent-config.js";
import { offlinePlanner } from "../planner/offline-planner.js";
import { importOptional } from "./import-optional.js";
import { checkModelKey, revealedKey } from "./model-key.js";

/**
 * The model for `modelConfig`: `openai` (any server with that protocol, by `baseURL`), `anthropic` or `offline`. The
 * provider's package is imported only when it is used.
 *
 * @throws SkillError `CONFIG_INVALID` for another provider, and for a key that no HTTP header can carry; `UNSUPPORTED` if its package is not installed.
 */
export async function modelProvider(config: ModelConfig): Promise<LanguageModelV4> {
  const { provider, model, baseURL } = config;
  checkModelKey(config);
  const apiKey = revealedKey(config)?.trim();
  const options = { ...(apiKey ? { apiKey } : {}), ...(baseURL ? { baseURL } : {}) };
  switch (provider) {
    case "offline":
      return offlinePlanner();
    case "openai": {
      const { createOpenAICompatible } = await importOptional(
        "@ai-sdk/openai-compatible",
        () => import("@ai-sdk/openai-compatible"),
      );
      const openai = createOpenAICompatible({
        name: "openai",
        baseURL: "https://api.openai.com/v1",
        includeUsage: true,
        ...options,
      });
      return openai.chatModel(model);
    }
    case "anthropic": {
      const { createAnthropic } = await importOptional(
        "@ai-sdk/anthropic",
        () => import("@ai-sdk/anthropic"),
      );
      return createAnthropic(options)(model);
    }
    default:
      throw new SkillError(
        "CONFIG_INVALID",
        `modelConfig.provider: given ${JSON.stringify(provider)}; expected one of openai, anthropic, offline.`,
        { details: { fields: [{ path: "modelConfig.provider" }] } },
      );
  }
}
