export type { ToolCall, ToolCallOptions } from "./adapter/tool-calls.js";
export {
  type OpenAiCallOutput,
  type OpenAiChatMessage,
  type OpenAiChatTool,
  type OpenAiOutputItem,
  type OpenAiResponsesTool,
  type OpenAiToolMessage,
  type OpenAiTools,
  openAiTools,
} from "./openai/openai-tools.js";
