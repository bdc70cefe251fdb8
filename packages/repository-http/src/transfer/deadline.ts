/** A signal that fires when another does, or when the time is over. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** True once the time was over before the work was. */
  hasPassed(): boolean;
  /** Lets go of the timer and of the other signal. */
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
