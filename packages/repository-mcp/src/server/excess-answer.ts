import { SkillError } from "@skillwright/core";
import type { McpSettings } from "../mcp-settings.js";

/** The error for a server that sends more than it may before it has answered a request. */
export function excessAnswer({
  shown,
  limits: { answerBytes },
}: Pick<McpSettings, "shown" | "limits">): SkillError {
  return new SkillError(
    "LIMIT_EXCEEDED",
    `The MCP server ${shown} sent more than ${answerBytes} bytes without completing an answer. Use another server, or raise limits.answerBytes of the repository.`,
    { details: { limit: answerBytes } },
  );
}
