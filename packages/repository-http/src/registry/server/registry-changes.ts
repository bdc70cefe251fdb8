/** Tells waiting requests that the registry may have changed. */
export interface RegistryChanges {
  /** Called after each change through this process. */
  tell(): void;
  /** Resolves at the next change, after that time, or when the signal fires. Listens before it returns. */
  next(forMs: number, signal: AbortSignal): Promise<void>;
}

/** More requests than this are answered at once instead of waiting. */
const MAX_WAITING = 1000;

export function registryChanges(): RegistryChanges {
  const waiting = new Set<() => void>();

  return {
    tell() {
      for (const wake of [...waiting]) wake();
    },
    next(forMs, signal) {
      if (forMs <= 0 || waiting.size >= MAX_WAITING || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          signal.removeEventListener("abort", wake);
          waiting.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, forMs);
        // A waiting request alone does not keep the process alive.
        timer.unref();
        signal.addEventListener("abort", wake, { once: true });
        waiting.add(wake);
      });
    },
  };
}
