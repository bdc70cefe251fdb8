import { type RunOutput, SkillError } from "@skillwright/core";
import { piecesIn, type RecordedPiece } from "../record/recorded-pieces.js";
import { waitingPieces } from "./waiting-pieces.js";

export interface ReceivedRecordOptions {
  /** Takes the output, in the order of its offsets. */
  readonly onPiece: (piece: RecordedPiece) => void;
  /**
   * Returns how many bytes of output may wait until their order is certain. If there are more, the oldest are passed on as they are.
   * Asked each time. Without it, and while it returns `undefined`, the limit is 256 MiB.
   */
  readonly mostWaiting?: (() => number | undefined) | undefined;
}

/** What a follower told about a recorded run so far. */
export interface ReceivedRecord {
  /**
   * Takes the next bytes of the follower.
   * @throws SkillError `BACKEND_FAILED` for a line, a message or a text that is longer than a supervisor writes.
   */
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
/** A message of a supervisor has at most 64 KiB. */
const MOST_OF_MESSAGE = 2 ** 20;
const MOST_OF_LINE = 1024;
const MOST_OF_TEXT = 2 ** 20;
/** With any usual limit, the record of a run has fewer bytes. */
const MOST_UNKNOWN = 2 ** 28;
/** A record has at most six segments, and the last message about a segment ends with a whole piece. */
const MOST_SEGMENTS = 32;

/** Reads what `supervisor follow` writes; `PROTOCOL.md` describes it. Keeps no more than a message and the bytes that may wait. */
export function receivedRecord({ onPiece, mostWaiting }: ReceivedRecordOptions): ReceivedRecord {
  /** What is not complete yet: joined only when it is, because each joining copies it all. */
  let held: Uint8Array[] = [];
  let length = 0;
  let needed = 1;
  let attempt: string | undefined;
  let end: "none" | "over" | undefined;
  const texts = new Map<string, string>();
  const segments = new Map<string, { bytes: Buffer; position: number }>();
  const most = () => mostWaiting?.() ?? MOST_UNKNOWN;
  const waiting = waitingPieces(onPiece, most);
  let scansAfterEnd = 0;

  function take(bytes: Uint8Array): void {
    held.push(bytes);
    length += bytes.byteLength;
    if (length < needed) return;
    const all = joined(held);
    let at = 0;
    for (needed = 1; at + needed <= all.length; needed = 1) {
      const lineEnd = all.indexOf(LINE_END, at);
      if ((lineEnd < 0 ? all.length : lineEnd) - at > MOST_OF_LINE) throw tooLong("line");
      if (lineEnd < 0) break;
      const [word = "", value = ""] = all.toString("latin1", at, lineEnd).split(" ");
      const isFile = word !== "run" && value !== "";
      const end = lineEnd + 1 + (isFile ? lengthOf(value) : 0);
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
    if (stream) takeSegment(name, content, { stream: stream as RunOutput["stream"], start: Number(start) });
    else {
      const text = (texts.get(name) ?? "") + content.toString("utf8");
      if (text.length > MOST_OF_TEXT) throw tooLong(`file ${name}`);
      texts.set(name, text);
    }
  }

  function takeSegment(
    name: string,
    content: Buffer,
    { stream, start }: { stream: RunOutput["stream"]; start: number },
  ): void {
    const segment = segments.get(name) ?? { bytes: Buffer.alloc(0), position: start };
    const bytes = segment.bytes.length === 0 ? content : Buffer.concat([segment.bytes, content]);
    const { pieces, length } = piecesIn(bytes, { stream, position: segment.position });
    // A piece is no longer than its segment, and a record has several segments.
    if (bytes.length - length > Math.max(most(), MOST_OF_MESSAGE)) throw tooLong("piece of output");
    const last = pieces.at(-1);
    const position = last ? last.position + last.bytes.byteLength : segment.position;
    // The segment of the latest message is moved to the end, so that finished segments come first.
    segments.delete(name);
    // Copied, so that the rest is not kept in memory because of its end.
    segments.set(name, { bytes: Buffer.from(bytes.subarray(length)), position });
    for (const old of segments.keys()) if (segments.size > MOST_SEGMENTS) segments.delete(old);
    waiting.add(pieces);
  }

  /** A second scan after the last line of the report found what was written before that line. */
  function scanned(): void {
    waiting.scanned();
    if (texts.get("report")?.endsWith("\ngone\n") && ++scansAfterEnd === 2) finish("over");
  }

  function finish(word: "none" | "over"): void {
    waiting.end();
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

function joined(parts: readonly Uint8Array[]): Buffer {
  const [first, ...rest] = parts;
  return first && rest.length === 0
    ? Buffer.from(first.buffer, first.byteOffset, first.byteLength)
    : Buffer.concat(parts);
}

function lengthOf(value: string): number {
  const length = Number(value);
  if (length <= MOST_OF_MESSAGE) return length;
  throw tooLong("message");
}

function tooLong(what: string): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The supervisor of the workspace tells a ${what} that is longer than any it writes. Create a new workspace, or use the version of Skillwright that made it.`,
  );
}
