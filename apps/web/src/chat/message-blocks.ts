import type { TurnDataParts } from "@skillwright/server/client";
import type { ChatMessage, Diagnostic } from "../api/answers.js";

/** A call of a tool, with everything that belongs to it. */
export interface CallBlock {
  readonly kind: "call";
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly state: "running" | "done" | "failed";
  readonly output: unknown;
  readonly errorText: string | undefined;
  readonly run: TurnDataParts["run"] | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly artifacts: readonly TurnDataParts["artifact"][];
  readonly approvals: readonly TurnDataParts["approval"][];
}

export type Block =
  | { readonly kind: "text"; readonly text: string }
  | CallBlock
  | { readonly kind: "approval"; readonly approval: TurnDataParts["approval"] }
  | { readonly kind: "diagnostic"; readonly diagnostic: Diagnostic };

export interface MessageUse {
  readonly steps: number;
  readonly durationMs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What an answer consists of, in the order in which it came. What a call made or told stands with the call. */
export function messageBlocks({ parts }: ChatMessage): readonly Block[] {
  const blocks: Block[] = [];
  const places = new Map<string, number>();
  let last: string | undefined;
  const change = (callId: string | undefined, changed: (call: CallBlock) => CallBlock): boolean => {
    const place = callId === undefined ? undefined : places.get(callId);
    const call = place === undefined ? undefined : blocks[place];
    if (place === undefined || call?.kind !== "call") return false;
    blocks[place] = changed(call);
    return true;
  };
  for (const part of parts)
    switch (part.type) {
      case "text":
        if (part.text !== "") blocks.push({ kind: "text", text: part.text });
        last = undefined;
        break;
      case "dynamic-tool":
        last = part.toolCallId;
        places.set(last, blocks.length);
        blocks.push(callOf(part as never));
        break;
      case "step-start":
        last = undefined;
        break;
      case "data-run":
        change(part.data.callId, (call) => ({ ...call, run: part.data }));
        break;
      case "data-artifact":
        change(last, (call) => ({ ...call, artifacts: [...call.artifacts, part.data] }));
        break;
      case "data-approval": {
        const { data } = part;
        if (!change(data.callId, (call) => ({ ...call, approvals: [...call.approvals, data] })))
          blocks.push({ kind: "approval", approval: data });
        break;
      }
      case "data-diagnostic": {
        const diagnostic = part.data as Diagnostic;
        // The end of the turn does not belong to its last call.
        const isEnd = /^turn\.(failed|stopped)$/.test(diagnostic.code);
        if (isEnd || !change(last, (call) => ({ ...call, diagnostics: [...call.diagnostics, diagnostic] })))
          blocks.push({ kind: "diagnostic", diagnostic });
      }
    }
  return blocks;
}

/** The steps, time and tokens that an answer took, summed over its calls of the model. */
export function messageUse({ parts }: ChatMessage): MessageUse | undefined {
  const steps = parts.flatMap((part) => (part.type === "data-step" ? [part.data] : []));
  if (steps.length === 0) return undefined;
  const sum = (field: "durationMs" | "inputTokens" | "outputTokens") =>
    steps.reduce((total, step) => total + (step[field] ?? 0), 0);
  return {
    ...{ steps: steps.length, durationMs: sum("durationMs") },
    ...{ inputTokens: sum("inputTokens"), outputTokens: sum("outputTokens") },
  };
}

interface ToolPart {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly state: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly errorText?: string;
}

function callOf({ toolCallId, toolName, state, input, output, errorText }: ToolPart): CallBlock {
  const isFailed = state === "output-error";
  return {
    ...{ kind: "call", callId: toolCallId, tool: toolName, input, output, errorText },
    state: isFailed ? "failed" : state === "output-available" ? "done" : "running",
    ...{ run: undefined, diagnostics: [], artifacts: [], approvals: [] },
  };
}
