import { createHash } from "node:crypto";
import type { ModelMessage } from "ai";

/**
 * Returns the history in a form that every provider accepts, because a provider that refuses one message would refuse all later
 * turns. Invalid ids and names of calls are replaced, input that is no object is wrapped in one, assistant messages of blanks are
 * left out, and unpaired surrogates become U+FFFD. Equal messages give equal results for the same model.
 */
export function acceptedMessages(
  messages: readonly ModelMessage[],
  { modelId }: { readonly modelId: string },
): ModelMessage[] {
  const ids = NARROW_MODELS.test(modelId) ? NARROW_ID : VALID_ID;
  return messages.flatMap((message): ModelMessage[] => {
    const { role, content } = wellFormed(message);
    if (role !== "assistant" && role !== "tool") return [{ ...message, content } as ModelMessage];
    if (typeof content === "string")
      return content.trim() === "" ? [] : [{ ...message, content } as ModelMessage];
    const kept = content
      .filter((part) => part.type !== "text" || part.text.trim() !== "")
      .map((part) => acceptedPart(part, ids));
    return kept.length === 0 ? [] : [{ ...message, content: kept } as ModelMessage];
  });
}

const VALID_ID = /^[A-Za-z0-9_-]{1,40}$/;

/** Mistral's own API and servers of its models (Mistral, Mixtral, Devstral, Voxtral) take no other ids. */
const NARROW_MODELS = /[sx]tral/i;
const NARROW_ID = /^[A-Za-z0-9]{9}$/;

/** Returns the id, or a hash of it with nine letters and digits if some provider would refuse the id. */
export function acceptedId(id: string, valid = VALID_ID): string {
  if (valid.test(id)) return id;
  return createHash("sha256").update(JSON.stringify(id)).digest("hex").slice(0, 9);
}

/** Returns the value with U+FFFD in place of each unpaired surrogate in its texts. */
export function wellFormed<Value>(value: Value): Value {
  return repaired(value) as Value;
}

function repaired(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(repaired);
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value) || value instanceof Error)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.toWellFormed(), repaired(one)]));
}

function acceptedPart<Part extends { readonly type: string }>(part: Part, ids: RegExp): Part {
  const { toolCallId, toolName, input } = part as { toolCallId?: string; toolName?: string; input?: unknown };
  if (toolCallId === undefined) return part;
  return {
    ...part,
    toolCallId: acceptedId(toolCallId, ids),
    ...(toolName !== undefined && { toolName: acceptedName(toolName) }),
    ...(part.type === "tool-call" && { input: acceptedInput(input) }),
  };
}

function acceptedName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "_";
}

function acceptedInput(input: unknown): unknown {
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  return isObject ? input : { invalid: input ?? null };
}
