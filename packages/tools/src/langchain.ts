export type { ToolCall, ToolCallOptions } from "./adapter/tool-calls.js";
export {
  type LangChainCall,
  type LangChainCallConfig,
  type LangChainToolFields,
  type LangChainToolsOptions,
  langChainTools,
} from "./langchain/langchain-tools.js";
