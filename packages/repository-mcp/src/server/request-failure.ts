import { SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { SkillError } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import type { McpSettings } from "../mcp-settings.js";

const LONGEST_REASON = 300;

/**
 * Maps what a request failed with.
 * @param broken Why the link is of no use any more, which explains the request's own error.
 */
export function requestFailure(
  error: unknown,
  broken: SkillError | undefined,
  { shown, timeoutMs }: Pick<McpSettings, "shown" | "timeoutMs">,
): SkillError {
  if (broken) return broken;
  const known = ownError(error);
  if (known) return known;
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return new SkillError(
      "BACKEND_FAILED",
      `The MCP server ${shown} did not answer within ${timeoutMs} ms. Check that it runs, or raise timeoutMs of the repository.`,
      { details: { timeoutMs } },
    );
  const reason = error instanceof Error && error.message ? error.message : "no reason was given";
  return new SkillError(
    "BACKEND_FAILED",
    `The MCP server ${shown} reports: ${shownLine(reason.slice(0, LONGEST_REASON))}. Check the server.`,
  );
}

/** An error of ours, also where the client of the protocol or `fetch` wrapped it. */
function ownError(error: unknown): SkillError | undefined {
  for (let one = error, depth = 0; one && depth < 5; one = (one as { cause?: unknown }).cause, depth++)
    if (SkillError.is(one)) return one;
  return undefined;
}
