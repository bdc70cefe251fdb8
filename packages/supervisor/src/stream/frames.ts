import { SkillError } from "@skillwright/core";

/** A frame of a stream to a supervisor; `PROTOCOL.md` describes the kinds. */
export interface Frame {
  readonly kind: string;
  readonly channel: number;
  readonly bytes: Uint8Array;
}

const HEAD_BYTES = 9;
/** The most bytes that may follow the head of a frame. */
const MOST_BYTES = 2 ** 23;

export function frameOf(kind: string, channel: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
  const frame = Buffer.allocUnsafe(HEAD_BYTES + length);
  frame.write(kind, 0, 1, "latin1");
  frame.writeUInt32LE(channel, 1);
  frame.writeUInt32LE(length, 5);
  let at = HEAD_BYTES;
  for (const part of parts) {
    frame.set(part, at);
    at += part.byteLength;
  }
  return frame;
}

/**
 * Takes bytes in pieces of any size and returns the frames that they complete. Keeps no more than a frame. @throws SkillError
 * `BACKEND_FAILED` for a frame that is longer than the protocol allows.
 */
export function frameReader(): (bytes: Uint8Array) => readonly Frame[] {
  let held: Buffer[] = [];
  let length = 0;
  let needed = HEAD_BYTES;

  return (bytes) => {
    held.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    length += bytes.byteLength;
    if (length < needed) return [];
    const all = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held);
    const frames: Frame[] = [];
    let at = 0;
    for (needed = HEAD_BYTES; all.length - at >= HEAD_BYTES; needed = HEAD_BYTES) {
      const announced = all.readUInt32LE(at + 5);
      if (announced > MOST_BYTES) throw tooLong(announced);
      needed += announced;
      if (all.length - at < needed) break;
      const kind = String.fromCharCode(all[at] as number);
      frames.push({
        kind,
        channel: all.readUInt32LE(at + 1),
        bytes: all.subarray(at + HEAD_BYTES, at + needed),
      });
      at += needed;
    }
    held = at < all.length ? [all.subarray(at)] : [];
    length = all.length - at;
    return frames;
  };
}

function tooLong(length: number): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The supervisor of the workspace announces a frame of ${length} bytes; at most ${MOST_BYTES} are allowed. Create a new workspace, or use the version of Skillwright that made it.`,
  );
}
