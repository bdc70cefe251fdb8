import { ApiError, request } from "../api/request.js";

/** An event of a run's log, as the server sends it. */
export interface RunLogEvent {
  readonly type: string;
  readonly stream?: "stdout" | "stderr";
  readonly text?: string;
  readonly bytes?: number;
  readonly digest?: string;
  readonly step?: string;
  readonly ok?: boolean;
}

/**
 * Reads the log of a run from its first event to its end. Where the connection breaks it goes on with the next event.
 * @throws ApiError where the server keeps the log no more.
 */
export async function readRunStream(
  path: string,
  onEvents: (events: readonly RunLogEvent[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const turn = turns();
  let next = 0;
  for (let pauseMs = 250; !signal.aborted; pauseMs = Math.min(5000, pauseMs * 2)) {
    const answer = await request(`${path}?offset=${next}`, { signal }).catch((error: Error) => {
      // A proxy answers with 502 or the like while the server is away.
      if (error instanceof ApiError && error.status < 500) throw error;
      return undefined;
    });
    const reader = answer?.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    try {
      while (reader) {
        const { done, value } = await reader.read();
        if (done) break;
        pauseMs = 250;
        text += value;
        const end = text.lastIndexOf("\n\n");
        if (end < 0) continue;
        const { events, last, isOver } = eventsIn(text.slice(0, end));
        text = text.slice(end + 2);
        if (last !== undefined) next = last + 1;
        if (events.length > 0) onEvents(events);
        if (isOver) return;
        await turn.due();
      }
    } catch {
      // The connection broke.
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Lets the browser paint and react between pieces of work that are read faster than they are done. */
function turns() {
  let began = performance.now();
  return {
    async due(): Promise<void> {
      if (performance.now() - began < WORK_MS) return;
      await new Promise<void>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          port1.close();
          resolve();
        };
        port2.postMessage(undefined);
      });
      began = performance.now();
    },
  };
}

const WORK_MS = 10;

function eventsIn(text: string) {
  const events: RunLogEvent[] = [];
  let last: number | undefined;
  let isOver = false;
  for (const block of text.split("\n\n"))
    for (const line of block.split("\n"))
      if (line === "data: [DONE]") isOver = true;
      else if (line.startsWith("data: ")) events.push(JSON.parse(line.slice(6)) as RunLogEvent);
      else if (line.startsWith("id: ")) last = Number(line.slice(4));
  return { events, last, isOver };
}
