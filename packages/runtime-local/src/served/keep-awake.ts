export interface KeptAwake {
  /** Resumes the process now, and again until it is gone. */
  on(): void;
  off(): void;
}

const PAUSE_MS = 100;

/**
 * Resumes a process again and again: a command without isolation may stop it at any time, also right after it was
 * resumed. It does not keep this process alive.
 * @param resume Returns `false` when the process is gone.
 */
export function keepAwake(resume: () => boolean): KeptAwake {
  let timer: NodeJS.Timeout | undefined;
  function on(): void {
    timer ??= setInterval(resumeOnce, PAUSE_MS).unref();
    resumeOnce();
  }
  function resumeOnce(): void {
    if (!resume()) off();
  }
  function off(): void {
    clearInterval(timer);
    timer = undefined;
  }
  return { on, off };
}
