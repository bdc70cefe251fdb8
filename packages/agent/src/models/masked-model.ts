import { inspect } from "node:util";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { Secret } from "@skillwright/core";
import { type SecretMasking, secretMasking } from "@skillwright/core/adapter";
import { APICallError, wrapLanguageModel } from "ai";
import type { ModelConfig } from "../agent/agent-config.js";
import { revealedKey } from "./model-key.js";

/**
 * The model whose errors show neither the key nor a password in the address, also where the provider's package or its
 * server repeats them. Values that `secretWeakness` considers weak are not masked.
 */
export function maskedModel(model: LanguageModelV4, config: ModelConfig): LanguageModelV4 {
  const secrets = [revealedKey(config), passwordOf(config.baseURL)].filter((one) => one !== undefined);
  const masking = secretMasking(
    Object.fromEntries(secrets.map((value, place) => [String(place), new Secret(value)])),
  );
  if (masking.patterns.length === 0) return model;
  const masked = async <T>(call: () => PromiseLike<T>): Promise<T> => {
    try {
      return await call();
    } catch (error) {
      throw maskedError(error, masking);
    }
  };
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: "v4",
      wrapGenerate: ({ doGenerate }) => masked(doGenerate),
      wrapStream: async ({ doStream }) => {
        const { stream, ...answer } = await masked(doStream);
        const reader = stream.getReader();
        return {
          ...answer,
          stream: new ReadableStream({
            pull: async (out) => {
              const { done, value } = await masked(() => reader.read());
              if (done) out.close();
              else
                out.enqueue(
                  value.type === "error" ? { ...value, error: maskedError(value.error, masking) } : value,
                );
            },
            cancel: (reason) => reader.cancel(reason),
          }),
        };
      },
    },
  });
}

function passwordOf(address: string | undefined): string | undefined {
  const password = address !== undefined && URL.canParse(address) ? new URL(address).password : "";
  return password === "" ? undefined : password;
}

/** Returns the error unchanged if neither it nor its causes show a secret, otherwise a masked copy. */
function maskedError(error: unknown, { text }: SecretMasking): unknown {
  const whole = inspect(error, { depth: 8, maxStringLength: null });
  if (text(whole) === whole) return error;
  if (APICallError.isInstance(error)) {
    const { url, statusCode, isRetryable, responseBody } = error;
    return new APICallError({
      ...{ message: text(error.message), url: text(url), requestBodyValues: {}, isRetryable },
      ...(statusCode !== undefined && { statusCode }),
      ...(responseBody !== undefined && { responseBody: text(responseBody) }),
    });
  }
  const masked = new Error(text(error instanceof Error ? error.message : whole));
  if (error instanceof Error) masked.name = error.name;
  return masked;
}
