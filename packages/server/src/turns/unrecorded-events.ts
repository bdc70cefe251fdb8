import type { RunEvent } from "@skillwright/core";

/**
 * Passes on the events of a call's runs that are not recorded yet. A process that attaches to a run hears it from its
 * beginning; positions in the output are counted in bytes of what was recorded.
 */
export function unrecordedEvents(recorded: readonly RunEvent[]): (event: RunEvent) => readonly RunEvent[] {
  const isRecorded = new Set(recorded.filter(isOnce).map(nameOf));
  const recordedBytes = counter();
  const heard = counter();
  for (const event of recorded) if (isOutput(event)) recordedBytes.add(event);

  return (event) => {
    if (!isOutput(event)) return isOnce(event) && isRecorded.has(nameOf(event)) ? [] : [event];
    const left = recordedBytes.of(event) - heard.of(event);
    const bytes = bytesOf(event);
    heard.add(event);
    if (left <= 0) return [event];
    if (left >= bytes) return [];
    if (event.type === "run.output-dropped") return [{ ...event, bytes: bytes - left }];
    return [{ ...event, text: Buffer.from(event.text).subarray(left).toString() }];
  };
}

type Output = Extract<RunEvent, { readonly type: "run.output" | "run.output-dropped" }>;

/** Bytes of each stream of each run of the call. */
function counter() {
  const counts = new Map<string, number>();
  const nameOf = ({ runId, stream }: Output) => `${runId} ${stream}`;
  const of = (event: Output) => counts.get(nameOf(event)) ?? 0;
  return { of, add: (event: Output) => void counts.set(nameOf(event), of(event) + bytesOf(event)) };
}

function isOutput(event: RunEvent): event is Output {
  return event.type === "run.output" || event.type === "run.output-dropped";
}

function bytesOf(event: Output): number {
  return event.type === "run.output" ? Buffer.byteLength(event.text) : event.bytes;
}

/** Returns true for an event that a run has only once. */
function isOnce({ type }: RunEvent): boolean {
  return type === "run.started" || type === "run.ended";
}

function nameOf(event: RunEvent): string {
  return `${event.type} ${"runId" in event ? event.runId : ""}`;
}
