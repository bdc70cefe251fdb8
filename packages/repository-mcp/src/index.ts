export { mcpRepository } from "./mcp-repository.js";
export type {
  McpAddress,
  McpCommand,
  McpLimits,
  McpRepositoryOptions,
} from "./mcp-repository-options.js";
