/** What has been opened can be closed, by hand or by `await using`. Closing twice is not an error. */
export interface Closable extends AsyncDisposable {
  close(): Promise<void>;
}

/** Options of every call that waits for something outside. */
export interface CallOptions {
  /** When it fires the call ends with `ABORTED`; what was already made is kept. */
  readonly signal?: AbortSignal | undefined;
}
