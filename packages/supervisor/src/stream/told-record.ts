import type { RunOutput } from "@skillwright/core";
import { piecesIn, type RecordedPiece } from "../record/recorded-pieces.js";

/** What a follower told about a recorded run so far. */
export interface ToldRecord {
  /** Takes the follower's next bytes. */
  take(bytes: Uint8Array): void;
  /** Name of the attempt whose command runs; `undefined` until it is told. */
  attempt(): string | undefined;
  /** True where there is no such run. */
  isNone(): boolean;
  /** True when the run is over and everything was told. */
  isOver(): boolean;
  /** The text of a file so far. */
  text(name: "report" | "run.json"): string;
}

const SEGMENT = /^(stdout|stderr)\.(\d+)$/;
const LINE_END = 10;

/**
 * Reads what `supervisor follow` writes; `PROTOCOL.md` describes it.
 * @param onPiece Takes the output, in the order of its offsets.
 */
export function toldRecord(onPiece: (piece: RecordedPiece) => void): ToldRecord {
  /** What is not complete yet: joined only when it is, because each joining copies it all. */
  let held: Uint8Array[] = [];
  let length = 0;
  let needed = 1;
  let attempt: string | undefined;
  let end: "none" | "over" | undefined;
  const texts = new Map<string, string>();
  const segments = new Map<string, { bytes: Buffer; position: number }>();
  let scansAfterEnd = 0;
  let waiting: RecordedPiece[] = [];
  /** Pieces up to this offset were written before the last scan began. */
  let until = -1;

  function take(bytes: Uint8Array): void {
    held.push(bytes);
    length += bytes.byteLength;
    if (length < needed) return;
    const all = Buffer.concat(held);
    let at = 0;
    for (needed = 1; at + needed <= all.length; needed = 1) {
      const lineEnd = all.indexOf(LINE_END, at);
      if (lineEnd < 0) break;
      const [word = "", value = ""] = all.toString("latin1", at, lineEnd).split(" ");
      const isFile = word !== "run" && value !== "";
      const end = lineEnd + 1 + (isFile ? Number(value) : 0);
      needed = end - at;
      if (all.length < end) break;
      at = end;
      if (isFile) takeFile(word, all.subarray(lineEnd + 1, end));
      else if (word === "run") attempt = value;
      else if (word === "scan") scanned();
      else if (word === "none" || word === "over") finish(word);
    }
    held = at < all.length ? [all.subarray(at)] : [];
    length = all.length - at;
  }

  function takeFile(name: string, content: Buffer): void {
    const [, stream, start] = SEGMENT.exec(name) ?? [];
    if (!stream) return void texts.set(name, (texts.get(name) ?? "") + content.toString("utf8"));
    const segment = segments.get(name) ?? { bytes: Buffer.alloc(0), position: Number(start) };
    const bytes = segment.bytes.length === 0 ? content : Buffer.concat([segment.bytes, content]);
    const { pieces, length } = piecesIn(bytes, {
      stream: stream as RunOutput["stream"],
      position: segment.position,
    });
    const last = pieces.at(-1);
    const position = last ? last.position + last.bytes.byteLength : segment.position;
    // Copied, so that the rest is not kept in memory because of its end.
    segments.set(name, { bytes: Buffer.from(bytes.subarray(length)), position });
    for (const piece of pieces) waiting.push(piece);
  }

  /** A second scan after the last line of the report found what was written before that line. */
  function scanned(): void {
    release(until);
    if (texts.get("report")?.endsWith("\ngone\n") && ++scansAfterEnd === 2) finish("over");
  }

  /** A piece of the other stream may have been written before the last of these, after its file was read. */
  function release(limit: number): void {
    waiting.sort((a, b) => a.offset - b.offset);
    const last = waiting.at(-1)?.offset ?? until;
    for (const piece of waiting) if (piece.offset <= limit) onPiece(piece);
    waiting = waiting.filter(({ offset }) => offset > limit);
    until = last;
  }

  function finish(word: "none" | "over"): void {
    release(Number.POSITIVE_INFINITY);
    end = word;
  }

  return {
    take,
    attempt: () => attempt,
    isNone: () => end === "none",
    isOver: () => end === "over",
    text: (name) => texts.get(name) ?? "",
  };
}
