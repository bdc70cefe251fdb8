export type { ToolCall, ToolCallOptions } from "./adapter/tool-calls.js";
export {
  type AnthropicBlock,
  type AnthropicTool,
  type AnthropicToolResult,
  type AnthropicTools,
  anthropicTools,
} from "./anthropic/anthropic-tools.js";
