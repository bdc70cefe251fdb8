import type { SkillTool, ToolContext, ToolResult } from "@skillwright/core";
import { waitingApproval } from "./approvals/waiting-approval.js";
import { isRefusalOutput } from "./tool-refusal.js";

const DEFAULT_LIMIT = 3;
const MAX_REMEMBERED = 1000;

export interface RepeatedFailureOptions {
  /** How often one call may be refused before it is no longer executed. Defaults to 3. */
  readonly limit?: number | undefined;
}

/**
 * Wraps the tools: a call that was refused `limit` times with equal input is not executed again. The answer is then the
 * last refusal with what is valid, `retry: false`, and the diagnostic `call.repeated`, with which a loop can end.
 * Counted per session and agent; a successful call of the session that may have changed something resets all its
 * counts.
 */
export function stopRepeatedFailures(
  tools: readonly SkillTool[],
  options: RepeatedFailureOptions = {},
): readonly SkillTool[] {
  return tools.map(repeatedFailureGuard(options));
}

/**
 * `stopRepeatedFailures` for tools that change between steps: returns a function that wraps one tool. All tools that it
 * wraps share their counts.
 */
export function repeatedFailureGuard({
  limit = DEFAULT_LIMIT,
}: RepeatedFailureOptions = {}): (tool: SkillTool) => SkillTool {
  const refused = new Map<string, { readonly session: string; count: number; last: ToolResult }>();

  return (tool) => ({
    ...tool,
    async execute(input: unknown, context: ToolContext): Promise<ToolResult> {
      const session = JSON.stringify([context.session, context.agent]);
      const key = JSON.stringify([session, tool.name, input]);
      const known = refused.get(key);
      if (known && known.count >= limit) return stopped(tool.name, known);
      const result = await tool.execute(input, context);
      if (!result.isError) {
        refused.delete(key);
        if (!tool.parallel) forget(session);
        return result;
      }
      // The call was aborted or waits for a person, which says nothing about the call itself.
      if (context.signal?.aborted || waitingApproval(result) !== undefined) return result;
      if (!known && refused.size >= MAX_REMEMBERED) refused.clear();
      const entry = { session, count: (refused.get(key)?.count ?? 0) + 1, last: result };
      refused.set(key, entry);
      return entry.count >= limit ? stopped(tool.name, entry) : result;
    },
  });

  function forget(session: string): void {
    for (const [key, entry] of refused) if (entry.session === session) refused.delete(key);
  }
}

function stopped(
  tool: string,
  { count, last }: { readonly count: number; readonly last: ToolResult },
): ToolResult {
  const { code, message } = isRefusalOutput(last.output)
    ? last.output.error
    : { code: "REFUSED", message: "" };
  const told = `This call of ${tool} failed ${count} times in the same way and is not repeated. ${String(message)}`;
  const hint = "Change the input as the message says, or tell the user what is missing.";
  return {
    ...last,
    output: { error: { code: code ?? "REFUSED", message: `${told} ${hint}`, retry: false } },
    diagnostics: [
      ...last.diagnostics.filter((diagnostic) => diagnostic.code !== "call.repeated"),
      {
        code: "call.repeated",
        severity: "warning",
        message: `A call of ${tool} failed ${count} times in the same way.`,
        hint,
      },
    ],
  };
}
