import type { SkillTool } from "@skillwright/core";
import { outputText, type ToolCallOptions, toolCalls } from "../adapter/tool-calls.js";

/** A tool for `chat.completions.create` and, with its function, for `chat.completions.runTools`. */
export interface OpenAiChatTool {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
    /** A function, which is left out when the tool is sent as JSON. */
    readonly function: (given: string) => Promise<string>;
  };
}

/** A tool for `responses.create`. */
export interface OpenAiResponsesTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
  /** Strict mode has no optional fields; the tool validates its input itself. */
  readonly strict: false;
}

export interface OpenAiToolMessage {
  readonly role: "tool";
  readonly tool_call_id: string;
  readonly content: string;
}

export interface OpenAiCallOutput {
  readonly type: "function_call_output";
  readonly call_id: string;
  readonly output: string;
}

/** The part of a chat completion's message that is read: its calls. */
export interface OpenAiChatMessage {
  readonly tool_calls?:
    | readonly {
        readonly id: string;
        readonly type: string;
        readonly function?: { readonly name: string; readonly arguments: string };
      }[]
    | null
    | undefined;
}

/** The part of a response's output item that is read. */
export interface OpenAiOutputItem {
  readonly type: string;
  readonly name?: unknown;
  readonly call_id?: unknown;
  readonly arguments?: unknown;
}

export interface OpenAiTools {
  readonly chat: OpenAiChatTool[];
  readonly responses: OpenAiResponsesTool[];
  /** Returns one message for each function call in it, in order; none where there is none. */
  answerChat(message: OpenAiChatMessage, options?: { signal?: AbortSignal }): Promise<OpenAiToolMessage[]>;
  /** Returns one item for each function call among them, in order. */
  answerResponses(
    output: readonly OpenAiOutputItem[],
    options?: { signal?: AbortSignal },
  ): Promise<OpenAiCallOutput[]>;
}

/**
 * Converts the tools for the Chat Completions and the Responses API of the `openai` package, and answers their calls,
 * without importing that package. Refusals are answers too, also for arguments that are not JSON and for unknown names.
 * Create one per conversation.
 */
export function openAiTools(tools: readonly SkillTool[], options: ToolCallOptions): OpenAiTools {
  const call = toolCalls(tools, options);

  return {
    chat: tools.map(({ name, description, inputSchema }) => ({
      type: "function",
      function: {
        name,
        description,
        parameters: structuredClone(inputSchema) as Record<string, unknown>,
        function: async (given) => outputText(await call(name, "", given)),
      },
    })),
    responses: tools.map(({ name, description, inputSchema }) => ({
      type: "function",
      name,
      description,
      parameters: structuredClone(inputSchema) as Record<string, unknown>,
      strict: false,
    })),
    async answerChat({ tool_calls: calls }, { signal } = {}) {
      const answers = (calls ?? []).flatMap(({ id, function: called }) =>
        called ? [answered(id, called.name, called.arguments, signal)] : [],
      );
      return (await Promise.all(answers)).map(({ id, text }) => ({
        role: "tool",
        tool_call_id: id,
        content: text,
      }));
    },
    async answerResponses(output, { signal } = {}) {
      const answers = output.flatMap((item) =>
        item.type === "function_call"
          ? [answered(String(item.call_id), String(item.name), item.arguments, signal)]
          : [],
      );
      return (await Promise.all(answers)).map(({ id, text }) => ({
        type: "function_call_output",
        call_id: id,
        output: text,
      }));
    },
  };

  async function answered(
    id: string,
    name: string,
    given: unknown,
    signal: AbortSignal | undefined,
  ): Promise<{ id: string; text: string }> {
    return { id, text: outputText(await call(name, id, given, signal)) };
  }
}
