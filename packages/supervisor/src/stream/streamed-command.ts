import { SkillError } from "@skillwright/core";
import type { Frame } from "./frames.js";

/** A descriptor of a command that its host writes to: its input, its control pipe, and one for `--put` and its like. */
export type InputDescriptor = 0 | 4 | 5;
/** A descriptor that its host reads: its output and errors, and its report. */
export type OutputDescriptor = 1 | 2 | 3;

export interface CommandRequest {
  /** A command of the supervisor and its options, as in `PROTOCOL.md`. */
  readonly arguments: readonly string[];
  /** The whole environment. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Pipes; the command has no other inputs, and reads nothing from descriptor 0. */
  readonly inputs?: readonly InputDescriptor[] | undefined;
  /** A text that other hosts see while the command is in progress. */
  readonly note?: string | undefined;
  /** Takes what the command writes, in order. Nothing more is read from the connection until what it returns is settled. */
  readonly onBytes: (descriptor: OutputDescriptor, bytes: Uint8Array) => Promise<void> | void;
}

/** How a command of the supervisor ended. */
export interface CommandEnd {
  readonly how: "exit" | "signal";
  readonly number: number;
}

export interface StreamedCommand {
  /**
   * Settles when the command's pipe has taken the bytes. Of all writes together, at most 64 KiB are sent before the command has taken them.
   * @throws SkillError `CLOSED` when nobody reads the bytes any more. The error has `details.connection` `"lost"` if the connection ended
   * first; then bytes that were sent may have arrived.
   */
  write(descriptor: InputDescriptor, bytes: Uint8Array): Promise<void>;
  /** Closes the descriptor after what was written. */
  end(descriptor: InputDescriptor): void;
  /** Resolves after the last of its bytes; to `undefined` where the connection ended first. */
  readonly ended: Promise<CommandEnd | undefined>;
}

/** Bytes of an input that may be on their way. */
const WINDOW = 65_536;

interface Input {
  /** Writes that are not sent yet, because the window is full. */
  readonly queue: { bytes: Uint8Array; done: (error?: SkillError) => void }[];
  /** Writes that were sent and not taken yet. `until` counts all bytes of this input up to the end of the write. */
  readonly sent: { until: number; done: (error?: SkillError) => void }[];
  sentBytes: number;
  takenBytes: number;
  ends: boolean;
  isClosed: boolean;
}

/** @param send Sends a frame of its channel. */
export function streamedCommand(
  request: CommandRequest,
  send: (kind: string, ...parts: readonly Uint8Array[]) => void,
): StreamedCommand & { take(frame: Frame | undefined): Promise<void> | void } {
  const { arguments: words, variables = {}, inputs: open = [], note = "", onBytes } = request;
  const inputs = new Map<number, Input>(
    open.map((descriptor) => [
      descriptor,
      { queue: [], sent: [], sentBytes: 0, takenBytes: 0, ends: false, isClosed: false },
    ]),
  );
  let isLost = false;
  let finish: (end: CommandEnd | undefined) => void = () => undefined;
  const ended = new Promise<CommandEnd | undefined>((resolve) => {
    finish = resolve;
  });

  function take(frame: Frame | undefined): Promise<void> | void {
    if (!frame || frame.kind === "E") {
      isLost = !frame;
      for (const input of inputs.values()) close(input);
      const [how, number = 0] = frame?.bytes ?? [];
      finish(frame && { how: how === 0 ? "exit" : "signal", number });
    } else if (frame.kind === "A") taken(Buffer.from(frame.bytes));
    else if (frame.kind === "D" && frame.bytes.length > 1)
      return onBytes(frame.bytes[0] as OutputDescriptor, frame.bytes.subarray(1));
  }

  function taken(bytes: Buffer): void {
    const descriptor = bytes[0] as InputDescriptor;
    const input = inputs.get(descriptor);
    if (!input) return;
    if (bytes.length < 5) close(input);
    else {
      input.takenBytes += bytes.readUInt32LE(1);
      while (input.sent[0] && input.sent[0].until <= input.takenBytes) input.sent.shift()?.done();
      pass(descriptor, input);
    }
  }

  /** Sends what the window takes. */
  function pass(descriptor: InputDescriptor, input: Input): void {
    for (let first = input.queue[0]; first; first = input.queue[0]) {
      const part = first.bytes.subarray(0, WINDOW - (input.sentBytes - input.takenBytes));
      if (part.byteLength === 0) return;
      send("D", Uint8Array.of(descriptor), part);
      input.sentBytes += part.byteLength;
      first.bytes = first.bytes.subarray(part.byteLength);
      if (first.bytes.byteLength > 0) return;
      input.queue.shift();
      input.sent.push({ until: input.sentBytes, done: first.done });
    }
    if (input.ends && input.queue.length === 0 && !input.isClosed) {
      input.isClosed = true;
      send("D", Uint8Array.of(descriptor));
    }
  }

  async function write(descriptor: InputDescriptor, bytes: Uint8Array): Promise<void> {
    const input = inputs.get(descriptor);
    if (!input || input.isClosed || input.ends) throw notTaken();
    if (bytes.byteLength === 0) return;
    await new Promise<void>((resolve, reject) => {
      input.queue.push({ bytes, done: (error) => (error ? reject(error) : resolve()) });
      pass(descriptor, input);
    });
  }

  function end(descriptor: InputDescriptor): void {
    const input = inputs.get(descriptor);
    if (!input || input.ends) return;
    input.ends = true;
    pass(descriptor, input);
  }

  /** Waiting writes fail. */
  function close(input: Input): void {
    input.isClosed = true;
    for (const { done } of [...input.sent.splice(0), ...input.queue.splice(0)]) done(notTaken());
  }

  function notTaken(): SkillError {
    return isLost ? connectionLost() : notRead();
  }

  send("S", startBytes(words, variables, { open, note }));
  return { write, end, ended, take };
}

function startBytes(
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
  { open, note }: { readonly open: readonly InputDescriptor[]; readonly note: string },
): Buffer {
  const assigned = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const texts = [note, ...words, ...assigned];
  if (texts.some((text) => text.includes("\0"))) throw hasNull();
  const strings = Buffer.from(texts.map((text) => `${text}\0`).join(""));
  const head = Buffer.alloc(9);
  head.writeUInt8(open.reduce((bits: number, descriptor) => bits | (1 << descriptor), 0));
  head.writeUInt32LE(words.length, 1);
  head.writeUInt32LE(assigned.length, 5);
  return Buffer.concat([head, strings]);
}

function hasNull(): SkillError {
  return new SkillError(
    "INPUT_INVALID",
    "A command, an argument or a variable contains a null character. Remove it.",
  );
}

function connectionLost(): SkillError {
  return new SkillError(
    "CLOSED",
    "The connection to the supervisor ended before the command had taken this input. It is not known how much of it arrived.",
    { details: { connection: "lost" } },
  );
}

function notRead(): SkillError {
  return new SkillError("CLOSED", "The command does not read this input any more.");
}
