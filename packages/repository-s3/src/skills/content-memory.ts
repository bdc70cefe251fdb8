/** Caches recently read bytes, so that loading a skill and then reading its files does not fetch them twice. */
export interface ContentMemory {
  /** Returns a copy. */
  get(mark: string): Uint8Array | undefined;
  /** Takes ownership of the bytes. */
  put(mark: string, bytes: Uint8Array): void;
  forget(): void;
}

/** @param limit Maximum bytes of all contents together. */
export function contentMemory(limit: number): ContentMemory {
  const contents = new Map<string, Uint8Array>();
  let held = 0;

  function drop(mark: string): void {
    held -= contents.get(mark)?.byteLength ?? 0;
    contents.delete(mark);
  }

  return {
    get: (mark) => contents.get(mark)?.slice(),
    put(mark, bytes) {
      drop(mark);
      if (bytes.byteLength > limit / 4) return;
      contents.set(mark, bytes);
      held += bytes.byteLength;
      for (const oldest of contents.keys()) {
        if (held <= limit) return;
        drop(oldest);
      }
    },
    forget() {
      contents.clear();
      held = 0;
    },
  };
}
