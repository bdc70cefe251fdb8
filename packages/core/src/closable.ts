/** Something opened that can be closed, by calling `close` or with `await using`. Closing twice is not an error. */
export interface Closable extends AsyncDisposable {
  close(): Promise<void>;
}

/** Options of every call that waits for I/O. */
export interface CallOptions {
  /** When it fires, the call ends with `ABORTED`. Work that was already completed is kept. */
  readonly signal?: AbortSignal | undefined;
}
