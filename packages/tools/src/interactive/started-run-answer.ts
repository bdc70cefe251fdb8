import type { JsonObject, ToolContext } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import type { ToolAnswer } from "../define-tool.js";
import { runAnswer } from "../run/run-answer.js";
import type { StartedRun } from "./started-run.js";

export interface AnswerWanted {
  /** Where to read from. Defaults to the end of the last answer. */
  readonly offset?: number | undefined;
  readonly waitMs: number;
  /** Defaults to 16 KiB. */
  readonly maxBytes?: number | undefined;
}

/**
 * Waits briefly for output and returns it with the state: `running`, `waiting` where the last line is incomplete, like
 * a prompt, or `exited` with the files, as `skill_run` returns them. @throws what the run threw; SkillError
 * `ABORTED`.
 */
export async function startedRunAnswer(
  run: StartedRun,
  { offset, waitMs, maxBytes = 16 * 1024 }: AnswerWanted,
  { signal }: ToolContext,
): Promise<ToolAnswer> {
  const from = offset ?? run.givenTo;
  await awaitOutput(run, { from, waitMs, signal });
  checkAborted(signal);
  const read = run.output.read(from, maxBytes);
  const more = run.output.size() - read.to;
  run.givenTo = read.to;
  const shown: JsonObject = {
    run_id: run.handle.runId,
    ...state(run, more),
    output: read.text,
    offset: read.from,
    next_offset: read.to,
    ...(more > 0 ? { more_bytes: more } : {}),
    ...(read.from > from ? { dropped_bytes: read.from - from } : {}),
  };
  return run.end ? ended(run, shown) : { output: shown };
}

function state({ end, output }: StartedRun, more: number): JsonObject {
  if (end) return { status: "exited" };
  const prompt = output.lastLine();
  if (more > 0 || prompt === "" || output.quietMs() < SETTLED_MS) return { status: "running" };
  return { status: "waiting", prompt, hint: "It seems to wait for input: answer with skill_write." };
}

function ended(run: StartedRun, shown: JsonObject): ToolAnswer {
  const { end, requested, endedBy } = run;
  if (!end) return { output: shown };
  if ("error" in end) throw end.error;
  const { output, artifacts = [], diagnostics = [] } = runAnswer(end.result, requested);
  const { stdout: _out, stderr: _error, ...result } = output as JsonObject;
  const answer = { ...shown, ...(endedBy ? { ended_by: endedBy } : {}), ...result };
  if (run.told) return { output: answer };
  run.told = true;
  return { output: answer, artifacts, diagnostics };
}

/** A command that writes nothing for this long has probably written everything for now. */
const SETTLED_MS = 75;

/** Settles when the run is over, when it has written something new and then paused, or after that time. */
async function awaitOutput(
  run: StartedRun,
  { from, waitMs, signal }: { from: number; waitMs: number; signal?: AbortSignal | undefined },
): Promise<void> {
  const until = performance.now() + waitMs;
  for (let left = waitMs; left > 0 && !run.end && !signal?.aborted; left = until - performance.now()) {
    const isNew = run.output.size() > from;
    // A timer may fire slightly early, so the silence is measured.
    const unsettledMs = Math.ceil(SETTLED_MS - run.output.quietMs());
    if (isNew && unsettledMs <= 0) return;
    await run.output.changed(isNew ? Math.min(left, unsettledMs) : left, signal);
  }
}
