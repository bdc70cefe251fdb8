import { createHash } from "node:crypto";
import type { ModelMessage } from "ai";

/**
 * The history as every provider accepts it. A provider that refuses one word of it would refuse all later turns: ids and
 * names of calls are replaced where they are not valid, input that is no object is wrapped, assistant text of blanks alone is
 * left out, and halves of characters become U+FFFD. The same message always becomes the same one.
 */
export function acceptedMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.flatMap((message): ModelMessage[] => {
    const { role, content } = wellFormed(message);
    if (role !== "assistant" && role !== "tool") return [{ ...message, content } as ModelMessage];
    if (typeof content === "string")
      return content.trim() === "" ? [] : [{ ...message, content } as ModelMessage];
    const kept = content.filter((part) => part.type !== "text" || part.text.trim() !== "").map(acceptedPart);
    return kept.length === 0 ? [] : [{ ...message, content: kept } as ModelMessage];
  });
}

/** The id itself, or another one in its place where not every provider accepts it. */
export function acceptedId(id: string): string {
  if (/^[A-Za-z0-9_-]{1,40}$/.test(id)) return id;
  return createHash("sha256").update(JSON.stringify(id)).digest("hex").slice(0, 9);
}

/** The same value, with U+FFFD in the place of each half of a character in its texts. */
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

function acceptedPart<Part extends { readonly type: string }>(part: Part): Part {
  const { toolCallId, toolName, input } = part as { toolCallId?: string; toolName?: string; input?: unknown };
  if (toolCallId === undefined) return part;
  return {
    ...part,
    toolCallId: acceptedId(toolCallId),
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
