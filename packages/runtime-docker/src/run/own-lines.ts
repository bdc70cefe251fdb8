/** Separates the wrapper's lines before and after the command's output. */
export interface OwnLines {
  /** Returns the command's bytes among these; bytes that may begin a wrapper line are held back. */
  pass(bytes: Uint8Array): Uint8Array;
  /** True where the held bytes are such a line. The wrapper's last line is its last output. */
  hasLine(): boolean;
  /** Ends the output: returns the held bytes and the wrapper's last line. */
  end(): { bytes: Uint8Array; line: string | undefined };
}

const MAX_LINE_BYTES = 200;

/**
 * Removes the wrapper's last line from standard output. A command can learn the prefix and fake such a line, so the
 * line is not proof of anything.
 * @param mark Prefix of the wrapper's lines.
 */
export function ownLines(mark: Uint8Array): OwnLines {
  let held = Buffer.alloc(0);

  function pass(bytes: Uint8Array): Uint8Array {
    const all =
      held.byteLength > 0
        ? Buffer.concat([held, bytes])
        : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const at = lineStart(all, mark);
    // Copied, so that the rest of the piece is not kept in memory because of its end.
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

/** Offset of the possible last line of the wrapper. */
function lineStart(bytes: Buffer, mark: Uint8Array): number {
  const whole = bytes.lastIndexOf(mark);
  if (whole >= 0 && bytes.byteLength - whole <= mark.byteLength + MAX_LINE_BYTES) return whole;
  for (let length = Math.min(mark.byteLength - 1, bytes.byteLength); length > 0; length--) {
    const at = bytes.byteLength - length;
    if (bytes.subarray(at).equals(mark.subarray(0, length))) return at;
  }
  return bytes.byteLength;
}
