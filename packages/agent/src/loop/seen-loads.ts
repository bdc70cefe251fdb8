import { presentLoads } from "@skillwright/injector";
import type { ModelMessage } from "ai";

/** Tools whose results may be a skill's instructions. */
const LOADING_TOOLS: ReadonlySet<string> = new Set([
  "skill_load",
  "skill_activate",
  "skill_read",
  "workspace_read",
]);

/** The skills whose instructions are in the history: as a tool's result, in a command's message, or put back. */
export function seenLoads(messages: readonly ModelMessage[]): ReadonlySet<string> {
  return presentLoads(messages.flatMap(instructions));
}

function instructions(message: ModelMessage): readonly string[] {
  if (message.role === "system") return [message.content];
  if (message.role === "user") return typeof message.content === "string" ? [message.content] : [];
  if (message.role !== "tool") return [];
  return message.content.flatMap((part) =>
    // For other files these tools return an object, so that no file's text can pass for instructions.
    part.type === "tool-result" && LOADING_TOOLS.has(part.toolName) && part.output.type === "text"
      ? [part.output.value]
      : [],
  );
}
