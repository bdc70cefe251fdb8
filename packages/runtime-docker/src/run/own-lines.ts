/** What the wrapper says before the command's output and after it. */
export interface OwnLines {
  /** The command's bytes among these; what may be the beginning of a line of ours waits. */
  pass(bytes: Uint8Array): Uint8Array;
  /** Whether what waits is such a line. The wrapper's last one is the last thing it does. */
  hasLine(): boolean;
  /** No more will come: what waited, and the wrapper's last line. */
  end(): { bytes: Uint8Array; line: string | undefined };
}

const MAX_LINE_BYTES = 200;

/**
 * Takes the wrapper's last line out of standard output. A command can learn how such a line begins and write one; it only
 * fools whoever counts on it being there.
 * @param mark How our lines begin.
 */
export function ownLines(mark: Uint8Array): OwnLines {
  let held = Buffer.alloc(0);

  function pass(bytes: Uint8Array): Uint8Array {
    const all =
      held.byteLength > 0
        ? Buffer.concat([held, bytes])
        : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const at = lineStart(all, mark);
    // Copied: the rest of the piece is not to be kept for the sake of its end.
    held = Buffer.from(all.subarray(at));
    return all.subarray(0, at);
  }

  function lineHeld(): string | undefined {
    if (held.byteLength <= mark.byteLength || !held.subarray(0, mark.byteLength).equals(mark))
      return undefined;
    const text = held.subarray(mark.byteLength).toString("latin1");
    return /^[^\n]*\n$/.test(text) ? text.trimEnd() : undefined;
  }

  function end(): ReturnType<OwnLines["end"]> {
    const line = lineHeld();
    return line === undefined ? { bytes: held, line } : { bytes: new Uint8Array(0), line };
  }

  return { pass, hasLine: () => lineHeld() !== undefined, end };
}

/** Where what may be our last line begins. */
function lineStart(bytes: Buffer, mark: Uint8Array): number {
  const whole = bytes.lastIndexOf(mark);
  if (whole >= 0 && bytes.byteLength - whole <= mark.byteLength + MAX_LINE_BYTES) return whole;
  for (let length = Math.min(mark.byteLength - 1, bytes.byteLength); length > 0; length--) {
    const at = bytes.byteLength - length;
    if (bytes.subarray(at).equals(mark.subarray(0, length))) return at;
  }
  return bytes.byteLength;
}
