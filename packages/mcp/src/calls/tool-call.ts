import { randomUUID } from "node:crypto";
import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
} from "@modelcontextprotocol/server";
import { SkillError, type SkillTool, type ToolResult } from "@skillwright/core";
import { waitingApproval } from "@skillwright/tools";
import { withoutLinks } from "../resources/workspace-uri.js";
import type { CallRound, HostSession } from "../session/host-session.js";
import type { SkillServerOptions } from "../skill-server-options.js";
import { askedPerson, takeAnswer } from "./asked-person.js";
import { askedRoots } from "./asked-roots.js";
import { outputContent } from "./output-content.js";
import { eventTeller } from "./reported-events.js";

export interface CallParts {
  readonly server: McpServer;
  readonly session: HostSession;
  readonly options: SkillServerOptions;
}

/**
 * Calls the tool. If the call waits for a person, returns a question to the client, whose answer starts the next round of
 * the same call. A refusal is a result of the tool.
 */
export async function toolCall(
  tool: SkillTool,
  given: unknown,
  ctx: ServerContext,
  parts: CallParts,
): Promise<CallToolResult | InputRequiredResult> {
  const input = withoutLinks(given);
  const { session } = parts;
  const round = ctx.mcpReq.requestState<CallRound>() ?? { callId: randomUUID() };
  const { callId, question: answered } = round;
  const signal = AbortSignal.any([ctx.mcpReq.signal, session.left]);
  try {
    return await session.call(tool.parallel, signal, async () => {
      if (answered !== undefined) await takeAnswer({ ...round, question: answered }, ctx, session);
      const asking = await askedRoots(input, round, ctx, parts);
      if (asking) return asking;
      const result = await tool.execute(input, {
        ...{ session: session.scope, state: session.state(), callId, signal },
        onEvent: eventTeller(tool.name, ctx),
      });
      const question = waitingApproval(result);
      if (question !== undefined) return await askedPerson({ callId, question }, ctx, parts);
      if (answered !== undefined) await session.approvals.forget(session.scope, [answered]);
      session.apply(result.stateDelta);
      await tellDiagnostics(tool.name, result, ctx);
      return callResult(result, await outputContent(result, session, signal));
    });
  } catch (error) {
    const { code, message } = SkillError.from(error, tool.name);
    return refusedCall(code, message);
  }
}

/** Returns a refusal in the form that all tools use. */
export function refusedCall(code: string, message: string): CallToolResult {
  const text = JSON.stringify({ error: { code, message, retry: false } });
  return { content: [{ type: "text", text }], isError: true };
}

function callResult({ output, isError }: ToolResult, files: CallToolResult["content"]): CallToolResult {
  const text = typeof output === "string" ? output : JSON.stringify(output);
  return { content: [{ type: "text", text }, ...files], ...(isError && { isError }) };
}

async function tellDiagnostics(
  tool: string,
  { diagnostics }: Pick<ToolResult, "diagnostics">,
  ctx: ServerContext,
): Promise<void> {
  for (const { code, severity, message, hint } of diagnostics) {
    const level = severity === "info" ? "info" : "warning";
    // A message that cannot be sent does not fail the call.
    await ctx.mcpReq.log(level, { code, message, hint }, tool).catch(() => undefined);
  }
}
