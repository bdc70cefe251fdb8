export {
  type AiSdkCall,
  type AiSdkTool,
  type AiSdkToolsOptions,
  aiSdkTools,
} from "./ai-sdk/ai-sdk-tools.js";
