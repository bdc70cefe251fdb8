import { onTestFinished, vi } from "vitest";

const NEVER_MS = 2 ** 31 - 1;

/**
 * Holds the first timer that this process starts for exactly that many milliseconds, which no other timer may have: it
 * fires when the returned function is called, and not before; at once, if it is started after that. Ends with the test,
 * which fails if the function was called and no such timer was started.
 */
export function heldTimer(milliseconds: number): () => void {
  const { setTimeout: real } = globalThis;
  let fire: (() => void) | undefined;
  let isDue = false;
  const start = (callback: (...args: unknown[]) => void, delay?: number, ...args: unknown[]) => {
    if (delay !== milliseconds || fire) return real(callback, delay, ...args);
    fire = () => callback(...args);
    return isDue ? real(callback, 0, ...args) : real(() => undefined, NEVER_MS).unref();
  };
  // With what `promisify` reads.
  Object.defineProperties(start, Object.getOwnPropertyDescriptors(real));
  vi.stubGlobal("setTimeout", start);
  onTestFinished(() => {
    vi.stubGlobal("setTimeout", real);
    if (isDue && !fire) throw new Error(`No timer of ${milliseconds} ms was started.`);
  });
  return () => {
    isDue = true;
    fire?.();
  };
}
