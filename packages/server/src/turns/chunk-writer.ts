import type { AgentEvent, ChatResult } from "@skillwright/agent";
import type { ArtifactVersion, Diagnostic, JsonValue, RunEvent } from "@skillwright/core";
import { approvalData, type RunData } from "./data-parts.js";
import { runPart, type UiChunk } from "./ui-chunks.js";

/** Addresses to which parts of the turn refer. */
export interface TurnPaths {
  output(callId: string): string;
  artifact(artifact: ArtifactVersion): string;
  decide(approvalId: string): string;
}

/** Converts the events of one turn to chunks. */
export interface ChunkWriter {
  event(event: AgentEvent): readonly UiChunk[];
  /** Chunks that end the message. */
  end(finish: ChatResult["finish"] | { readonly errorText: string }): readonly UiChunk[];
}

/** @param recorded The chunks that another process has stored of the turn. */
export function chunkWriter(
  { output, artifact, decide }: TurnPaths,
  recorded: readonly UiChunk[] = [],
): ChunkWriter {
  const runs = new Map<string, RunData>();
  let texts = 0;
  let openText: string | undefined;
  let inStep = false;
  for (const chunk of recorded)
    if (chunk.type === "start-step" || chunk.type === "finish-step") inStep = chunk.type === "start-step";
    else if (chunk.type === "text-start") openText = `text-${texts++}`;
    else if (chunk.type === "text-end") openText = undefined;
    else if (chunk.type === "data-run") runs.set(chunk.data.callId, chunk.data);

  function* closed(): Generator<UiChunk> {
    if (openText !== undefined) yield { type: "text-end", id: openText };
    openText = undefined;
  }

  function* stepClosed(): Generator<UiChunk> {
    yield* closed();
    if (inStep) yield { type: "finish-step" };
    inStep = false;
  }

  function* chunks(event: AgentEvent): Generator<UiChunk> {
    switch (event.type) {
      case "step.started":
        yield* stepClosed();
        inStep = true;
        yield { type: "start-step" };
        return;
      case "text":
        if (openText === undefined) {
          openText = `text-${texts++}`;
          yield { type: "text-start", id: openText };
        }
        yield { type: "text-delta", id: openText, delta: event.text };
        return;
      case "step.finished": {
        yield* closed();
        const { step, durationMs, inputTokens, outputTokens } = event;
        yield { type: "data-step", data: { step, durationMs, inputTokens, outputTokens } };
        return;
      }
      case "notice":
        yield* closed();
        yield { type: "data-diagnostic", data: event.diagnostic };
        return;
      case "tool.call":
        yield* closed();
        yield {
          type: "tool-input-available",
          ...{ toolCallId: event.callId, toolName: event.tool, input: event.input, dynamic: true },
        };
        return;
      case "approval.asked": {
        const { question } = event;
        yield {
          type: "data-approval",
          id: question.id,
          data: approvalData(question, decide(question.id)),
        };
        return;
      }
      case "tool.progress":
        yield* progress(event.callId, event.event);
        return;
      case "tool.response":
        yield* response(event);
        return;
    }
  }

  function* progress(callId: string, event: RunEvent): Generator<UiChunk> {
    // A tool that runs no command may create the workspace, too.
    if (!runs.has(callId) && event.type === "workspace.created") return;
    const before = runs.get(callId) ?? { callId, state: "preparing", output: output(callId) };
    const changed = change(event);
    if (runs.has(callId) && Object.keys(changed).length === 0) return;
    const now: RunData = { ...before, ...changed };
    runs.set(callId, now);
    yield runPart(now);
  }

  function* response(event: AgentEvent & { type: "tool.response" }): Generator<UiChunk> {
    const { callId: toolCallId, output: result, isError } = event;
    if (isError) yield { type: "tool-output-error", toolCallId, errorText: errorText(result), dynamic: true };
    else yield { type: "tool-output-available", toolCallId, output: result, dynamic: true };
    for (const diagnostic of event.diagnostics) yield { type: "data-diagnostic", data: diagnostic };
    for (const saved of event.artifacts) {
      const { name, version, size, mimeType, sha256, createdAt } = saved;
      yield {
        type: "data-artifact",
        id: `${name}@${version}`,
        data: { name, version, size, mimeType, sha256, createdAt, content: artifact(saved) },
      };
    }
  }

  return {
    event: (event) => [...chunks(event)],
    end: (finish) => {
      const open = [...stepClosed()];
      if (typeof finish === "object")
        return [
          ...open,
          { type: "data-diagnostic", data: failed(finish.errorText) },
          { type: "error", errorText: finish.errorText },
          { type: "finish", finishReason: "error" },
        ];
      if (finish === "aborted")
        return [
          ...open,
          { type: "data-diagnostic", data: STOPPED },
          { type: "abort", reason: STOPPED.message },
        ];
      return [...open, { type: "finish", finishReason: REASONS[finish] }];
    },
  };
}

const REASONS = {
  answered: "stop",
  "step-limit": "length",
  "repeated-failure": "other",
  waiting: "other",
} as const;

/** Chunks of type error and abort are no part of the message, so a diagnostic tells the history how the turn ended. */
function failed(message: string): Diagnostic {
  const hint = "Send a message to go on; the model knows the question.";
  return { code: "turn.failed", severity: "error", message, hint };
}

const STOPPED: Diagnostic = {
  code: "turn.stopped",
  severity: "info",
  message: "The turn was stopped.",
  hint: "Send a message to go on.",
};

/** What the event changes of its run. */
function change(event: RunEvent): Partial<RunData> {
  if (event.type === "skill.staged") return { skill: event.skill, digest: event.digest };
  if (event.type === "run.started") return { state: "running", command: event.command };
  if (event.type !== "run.ended") return {};
  const { exitCode, timedOut, durationMs, isolation, limits, peakMemoryBytes } = event;
  return { state: "ended", exitCode, timedOut, durationMs, isolation, limits, peakMemoryBytes };
}

function errorText(output: JsonValue): string {
  const { error } = (output ?? {}) as { readonly error?: { readonly message?: unknown } };
  return typeof error?.message === "string" ? error.message : JSON.stringify(output);
}
