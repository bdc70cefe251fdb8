import type { RecordedPiece } from "../record/recorded-pieces.js";

/** Holds pieces of both streams back until no earlier piece can follow. */
export interface WaitingPieces {
  /** If more than `most` bytes wait, the oldest pieces are passed on at once. A piece that belongs before them is then out of order. */
  add(pieces: readonly RecordedPiece[]): void;
  /** A scan has ended. */
  scanned(): void;
  /** Passes all of them on. */
  end(): void;
}

/**
 * @param onPiece Takes the pieces, in the order of their offsets.
 * @param most Bytes that may wait. Asked each time, because a follower learns it from the record.
 */
export function waitingPieces(onPiece: (piece: RecordedPiece) => void, most: () => number): WaitingPieces {
  let waiting: RecordedPiece[] = [];
  let bytes = 0;
  /** Pieces up to this offset were written before the last scan began. */
  let until = -1;

  function add(pieces: readonly RecordedPiece[]): void {
    for (const piece of pieces) {
      waiting.push(piece);
      bytes += piece.bytes.byteLength;
    }
    const limit = most();
    if (bytes <= limit) return;
    sort();
    // Half of them, so that the rest is not sorted again for each piece.
    pass(() => bytes > limit / 2);
  }

  /** A piece of the other stream may have been written before the last of these, after its file was read. */
  function scanned(): void {
    sort();
    const last = waiting.at(-1)?.offset ?? until;
    pass(({ offset }) => offset <= until);
    until = last;
  }

  function sort(): void {
    waiting.sort((a, b) => a.offset - b.offset);
  }

  /** Passes on the first pieces as long as the condition holds. */
  function pass(isDue: (piece: RecordedPiece) => boolean): void {
    let count = 0;
    for (const piece of waiting) {
      if (!isDue(piece)) break;
      count += 1;
      bytes -= piece.bytes.byteLength;
      onPiece(piece);
    }
    waiting = waiting.slice(count);
  }

  function end(): void {
    sort();
    pass(() => true);
  }

  return { add, scanned, end };
}
