import { setTimeout } from "node:timers/promises";
import { hostMark } from "./host-mark.js";
import { standingExec } from "./standing-exec.js";
import type { WorkspaceContainer } from "./workspace-container.js";

/** Shows other hosts that this one still waits for the runs that carry the same mark. */
export interface Presence {
  /** Included in the arguments of each run. */
  readonly mark: string;
  /** Shows presence from shortly after now until the run is over. */
  during(container: WorkspaceContainer, run: Promise<unknown>): void;
  /**
   * Waits until presence is shown, for runs that leave no room to start its process later. If that fails, it is
   * retried.
   */
  before(container: WorkspaceContainer, run: Promise<unknown>): Promise<void>;
}

/** Short runs need no presence process: other hosts wait longer than this before they end a run. */
const LATER_MS = 500;
const AGAIN_MS = 1000;
const LONGEST_START_MS = 3000;

/** One per runtime. */
export function presence(): Presence {
  const mark = hostMark();
  const places = new Map<string, Place>();

  function placeFor(container: WorkspaceContainer, run: Promise<unknown>): Place {
    const { id } = container.container;
    const place = places.get(id) ?? newPlace(container, mark);
    places.set(id, place);
    place.runs += 1;
    const leave = () => {
      place.runs -= 1;
      if (place.runs > 0) return;
      places.delete(id);
      place.over.abort();
    };
    run.then(leave, leave);
    return place;
  }

  return {
    mark,
    during: (container, run) => void placeFor(container, run).show(LATER_MS),
    before: async (container, run) => {
      const { show, over } = placeFor(container, run);
      const late = pause(LONGEST_START_MS, over.signal, { ref: true });
      await Promise.race([show(0), late]);
    },
  };
}

interface Place {
  runs: number;
  readonly over: AbortController;
  /** Settles when presence is shown for the first time. */
  show(afterMs: number): Promise<void>;
}

function newPlace(container: WorkspaceContainer, mark: string): Place {
  const over = new AbortController();
  const { signal } = over;
  let begun: { shown: Promise<void>; hurry: AbortController } | undefined;

  async function stay(afterMs: number, hurry: AbortSignal, onShown: () => void): Promise<void> {
    await pause(afterMs, AbortSignal.any([signal, hurry]));
    while (!signal.aborted) {
      await beThere(container, mark, signal, onShown).catch(() => undefined);
      await pause(AGAIN_MS, signal);
    }
  }

  function show(afterMs: number): Promise<void> {
    if (begun) {
      if (afterMs === 0) begun.hurry.abort();
      return begun.shown;
    }
    const hurry = new AbortController();
    let onShown = () => {};
    const shown = new Promise<void>((resolve) => {
      onShown = resolve;
    });
    begun = { shown, hurry };
    void stay(afterMs, hurry.signal, onShown);
    return shown;
  }

  return { runs: 0, over, show };
}

/** Lasts until the run is over, or the connection breaks. */
async function beThere(
  container: WorkspaceContainer,
  mark: string,
  signal: AbortSignal,
  onShown: () => void,
): Promise<void> {
  const standing = await standingExec(container, { role: "presence", mark }, { signal });
  signal.addEventListener("abort", standing.end, { once: true });
  if (signal.aborted) standing.end();
  if (await standing.there) onShown();
  await standing.over;
  signal.removeEventListener("abort", standing.end);
}

/** Waits until the time is up or the signal fires; does not keep the process alive, unless a caller awaits it. */
async function pause(milliseconds: number, signal: AbortSignal, { ref = false } = {}): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal, ref }).catch(() => undefined);
}
