/** Policies of other processes with idle times shorter than this may miss a long download or write of this process. */
const BEAT_MS = 5_000;

/** Keeps workspaces marked as used while calls on them are running. */
export interface BusyBeat {
  begin(id: string): void;
  end(id: string): void;
}

/** @param touch Never rejects. */
export function busyBeat(touch: (id: string) => Promise<void>): BusyBeat {
  const calls = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  function begin(id: string): void {
    calls.set(id, (calls.get(id) ?? 0) + 1);
    timer ??= setInterval(beat, BEAT_MS).unref();
  }

  function end(id: string): void {
    const left = (calls.get(id) ?? 1) - 1;
    if (left > 0) calls.set(id, left);
    else calls.delete(id);
    if (calls.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function beat(): void {
    for (const id of calls.keys()) void touch(id);
  }

  return { begin, end };
}
