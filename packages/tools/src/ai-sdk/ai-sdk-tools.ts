import type { JsonObject, SkillTool, ToolResult } from "@skillwright/core";
import { type ToolCall, type ToolCallOptions, toolCalls } from "../adapter/tool-calls.js";
import type { ApprovalQuestion, StoredApprovals } from "../approvals/approval-question.js";
import { waitingApproval } from "../approvals/waiting-approval.js";
import { isRefusalOutput } from "../tool-refusal.js";

/** One tool call by the AI SDK. */
export type AiSdkCall = ToolCall;

export interface AiSdkToolsOptions extends ToolCallOptions {
  /**
   * The store that the tools ask, as given to `skillTools`. With it, a call that waits for a person becomes an approval
   * request of the SDK, and the person's approval there is the answer `once` for the digest that was asked for.
   */
  readonly approvals?: Pick<StoredApprovals, "list" | "decide"> | undefined;
}

/** A tool for `generateText`, `streamText` and agents of `ai` 6 and 7. */
export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: AiSdkSchema;
  execute(
    input: unknown,
    options: { readonly toolCallId: string; readonly abortSignal?: AbortSignal | undefined },
  ): Promise<unknown>;
  /** Makes the call: it is done once, whatever the SDK asks. True where it waits for a person, and nothing was done. */
  needsApproval?(input: unknown, options: { readonly toolCallId: string }): Promise<boolean>;
  /** Returns text as text, refusals as errors, anything else as JSON. */
  toModelOutput(options: { readonly output: unknown }): AiSdkModelOutput;
}

/**
 * Converts the tools to a tool set of the AI SDK, by name, without importing `ai`. The tools validate their input, so
 * that a wrong field is answered with a refusal that says what is valid. Tools that change something run one after the
 * other in the order of their calls; the others run in parallel. Create one tool set per conversation.
 */
export function aiSdkTools(
  tools: readonly SkillTool[],
  options: AiSdkToolsOptions,
): Record<string, AiSdkTool> {
  const { approvals, context, onResult } = options;
  const done = new Map<string, Promise<ToolResult>>();
  const asking = new Set<string>();
  const call = toolCalls(tools, {
    context,
    onResult: (made, result) => {
      // A question is not yet the call's result.
      if (!asking.has(made.toolCallId) || waitingApproval(result) === undefined) onResult?.(made, result);
    },
  });

  async function needsApproval(name: string, input: unknown, toolCallId: string): Promise<boolean> {
    // The SDK asks again when it executes: another look would put the content of now into the question.
    if (!done.has(toolCallId) && (await openQuestion(name, toolCallId))) return true;
    asking.add(toolCallId);
    const making = done.get(toolCallId) ?? call(name, toolCallId, input);
    done.set(toolCallId, making);
    const isWaiting = waitingApproval(await making) !== undefined;
    if (isWaiting) done.delete(toolCallId);
    asking.delete(toolCallId);
    return isWaiting;
  }

  /** The SDK executes only what was approved. The answer is for what was shown: content that changed is asked for again. */
  async function approve(toolName: string, toolCallId: string): Promise<void> {
    const open = await openQuestion(toolName, toolCallId);
    // A question about changed content was not shown with this call: an approval that comes again is not its answer.
    if (!open || open.staleDigest !== undefined) return;
    const { digest, session } = open.request;
    await approvals?.decide(session, open.id, { digest, answer: { allow: "once" } });
  }

  async function openQuestion(toolName: string, toolCallId: string): Promise<ApprovalQuestion | undefined> {
    const { session } = await context({ toolName, toolCallId, order: 0 });
    const open = await approvals?.list(session);
    return open?.find(({ request }) => request.callId === toolCallId);
  }

  const converted = ({ name, description, inputSchema }: SkillTool): AiSdkTool => ({
    description,
    inputSchema: aiSdkSchema(inputSchema),
    ...(approvals && { needsApproval: (input, { toolCallId }) => needsApproval(name, input, toolCallId) }),
    execute: async (input, { toolCallId, abortSignal }) => {
      const known = done.get(toolCallId);
      done.delete(toolCallId);
      if (!known) await approve(name, toolCallId);
      return (await (known ?? call(name, toolCallId, input, abortSignal))).output;
    },
    toModelOutput: ({ output }) => aiSdkModelOutput(output),
  });
  return Object.fromEntries(tools.map((tool) => [tool.name, converted(tool)]));
}

/** JSON as the AI SDK types it. */
type AiSdkJson = string | number | boolean | null | AiSdkJson[] | { [key: string]: AiSdkJson };

type AiSdkModelOutput = { type: "text"; value: string } | { type: "json" | "error-json"; value: AiSdkJson };

/** The form in which an output is passed to the model. */
function aiSdkModelOutput(output: unknown): AiSdkModelOutput {
  if (typeof output === "string") return { type: "text", value: output };
  return { type: isRefusalOutput(output) ? "error-json" : "json", value: (output ?? null) as AiSdkJson };
}

/** A JSON Schema in the form of Standard JSON Schema, which `ai` 6 and 7 read directly. */
interface AiSdkSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "skillwright";
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

/** Accepts every value: the tool itself validates the input and answers the model. */
function aiSdkSchema(schema: JsonObject): AiSdkSchema {
  // Copied each time, because the AI SDK modifies the schema.
  const copy = () => structuredClone(schema) as Record<string, unknown>;
  return {
    "~standard": {
      version: 1,
      vendor: "skillwright",
      validate: (value) => ({ value }),
      jsonSchema: { input: copy, output: copy },
    },
  };
}
