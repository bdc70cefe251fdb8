import { withPreface } from "@skillwright/injector";
import type { ModelMessage } from "ai";

/** Where a model accepts system messages: anywhere, only at the beginning, or not at all. */
export type SystemMessages = "anywhere" | "first" | "none";

/**
 * The history as it is sent. System messages that the model does not accept are merged into the next user message, the
 * `preface` into the first one. Extending the history extends the sent text, byte for byte.
 */
export function sentMessages(
  messages: readonly ModelMessage[],
  { systemMessages, preface = "" }: { systemMessages: SystemMessages; preface?: string | undefined },
): readonly ModelMessage[] {
  const sent: ModelMessage[] = [];
  let waiting = preface === "" ? [] : [preface];
  for (const message of messages) {
    const isFirst = sent.every(({ role }) => role === "system");
    if (
      message.role === "system" &&
      !(systemMessages === "anywhere" || (systemMessages === "first" && isFirst))
    )
      waiting.push(message.content);
    else if (message.role === "user" && typeof message.content === "string" && waiting.length > 0) {
      sent.push({ ...message, content: withPreface(waiting.join("\n\n"), message.content) });
      waiting = [];
    } else sent.push(message);
  }
  return sent;
}

/** What a provider's models accept; unknown providers count as accepting them anywhere. */
export function systemMessagesOf(provider: string, systemPrompt: boolean): SystemMessages {
  if (!systemPrompt) return "none";
  return provider.startsWith("anthropic") ? "first" : "anywhere";
}
