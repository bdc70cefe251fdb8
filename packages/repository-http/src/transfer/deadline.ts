/** A signal that fires when another one does, or at a timeout. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** True where the timeout came before the end of the work. */
  hasPassed(): boolean;
  /** Releases the timer and the other signal. */
  end(): void;
}

export function deadline(milliseconds: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort();
  }, milliseconds);
  const stop = (): void => controller.abort(outer?.reason);
  if (outer?.aborted) stop();
  else outer?.addEventListener("abort", stop, { once: true });
  return {
    signal: controller.signal,
    hasPassed: () => isOver,
    end() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", stop);
    },
  };
}
