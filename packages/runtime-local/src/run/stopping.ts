export interface Stopping {
  request(): void;
  /** Why the run was stopped, if it was. */
  why(): "time" | "request" | undefined;
  /** Call it when the run is over. */
  clear(): void;
}

/**
 * Ends a run once, at its time limit or on request, where there is no supervisor. If this process stalls, the run ends
 * late.
 */
export function stopping(timeoutMs: number, end: () => void): Stopping {
  let why: "time" | "request" | undefined;
  let over = false;
  const stop = (reason: "time" | "request") => () => {
    if (over || why) return;
    why = reason;
    end();
  };
  const timer = setTimeout(stop("time"), timeoutMs);
  return {
    request: stop("request"),
    why: () => why,
    clear: () => {
      over = true;
      clearTimeout(timer);
    },
  };
}
