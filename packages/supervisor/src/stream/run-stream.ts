import { SkillError } from "@skillwright/core";
import { type Frame, frameOf, frameReader } from "./frames.js";
import { type CommandRequest, type StreamedCommand, streamedCommand } from "./streamed-command.js";

/** A connection to a supervisor that serves, such as an engine's exec of `supervisor connect`. */
export interface StreamConnection {
  /** The supervisor's bytes, until the connection ends, however it does. Read once. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Settles when the connection accepted the bytes. May be called again before. */
  write(bytes: Uint8Array): Promise<void>;
  close(): void;
  /** Tells whether anything is waited for: if not, the connection need not keep this process alive. */
  inUse?(isInUse: boolean): void;
}

/** Commands of one supervisor, over one connection. */
export interface RunStream {
  /** Starts a command of the supervisor. Its host is this connection. @throws SkillError `CLOSED` when that has ended. */
  start(request: CommandRequest): StreamedCommand;
  /** The notes of the commands in progress, of all hosts. @throws SkillError `CLOSED`. */
  notes(): Promise<readonly string[]>;
  /** A text that all hosts share, as last told. */
  memo(): string;
  /** Settles when the supervisor has told the text to this host, so that `memo` returns it. @throws SkillError `CLOSED`. */
  setMemo(text: string): Promise<void>;
  isOpen(): boolean;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  /** Closes the connection. Commands that end with their host end. */
  close(): void;
}

const HELLO = "skillwright-stream 1\n";

/** Waits for the supervisor's first words. @throws SkillError `BACKEND_FAILED` where others or none come. */
export async function runStream(connection: StreamConnection): Promise<RunStream> {
  const commands = new Map<number, ReturnType<typeof streamedCommand>>();
  const listings = new Map<number, (notes: readonly string[] | undefined) => void>();
  const read = frameReader();
  let number = 0;
  let awaited = 0;
  let memo = "";
  let isOpen = true;
  let waiting: Uint8Array[] = [];
  let words = "";
  let greet: () => void = () => undefined;
  const greeted = new Promise<void>((resolve) => {
    greet = resolve;
  });
  const closed = receive();

  async function receive(): Promise<void> {
    try {
      for await (const bytes of connection.input)
        for (const frame of read(bytes)) {
          const taken = take(frame);
          if (taken) await taken;
        }
    } catch {
      // The commands learn that the connection has ended. A connection that breaks the protocol is closed here.
      connection.close();
    }
    isOpen = false;
    greet();
    for (const command of [...commands.values()]) command.take(undefined);
    for (const answer of listings.values()) answer(undefined);
  }

  function take(frame: Frame): Promise<void> | void {
    const text = () => Buffer.from(frame.bytes).toString("utf8");
    if (frame.kind === "H") words = text();
    if (frame.kind === "M") memo = text();
    // The memo comes second, from a supervisor of this protocol.
    if (frame.kind === "M" || (frame.kind === "H" && words !== HELLO)) greet();
    else if (frame.kind === "L") listings.get(frame.channel)?.(text().split("\0").slice(0, -1));
    else return commands.get(frame.channel)?.take(frame);
  }

  /** Frames of one moment are one write. */
  function send(frame: Uint8Array): void {
    if (waiting.push(frame) > 1) return;
    queueMicrotask(() => {
      const bytes = waiting.length === 1 ? (waiting[0] as Uint8Array) : Buffer.concat(waiting);
      waiting = [];
      if (isOpen) connection.write(bytes).catch(() => connection.close());
    });
  }

  function next(): number {
    if (!isOpen) throw hasEnded();
    number = (number + 1) % 2 ** 32;
    return number;
  }

  function start(request: CommandRequest): StreamedCommand {
    const channel = next();
    const command = streamedCommand(request, (kind, ...parts) => send(frameOf(kind, channel, ...parts)));
    commands.set(channel, command);
    void using(command.ended).then(() => commands.delete(channel));
    return command;
  }

  async function using<T>(answer: Promise<T>): Promise<T> {
    if (awaited++ === 0) connection.inUse?.(true);
    return await answer.finally(() => {
      awaited -= 1;
      if (awaited === 0) connection.inUse?.(false);
    });
  }

  async function notes(): Promise<readonly string[]> {
    const channel = next();
    const answer = new Promise<readonly string[] | undefined>((resolve) => listings.set(channel, resolve));
    send(frameOf("L", channel));
    const found = await using(answer).finally(() => listings.delete(channel));
    if (!found) throw hasEnded();
    return found;
  }

  async function setMemo(text: string): Promise<void> {
    send(frameOf("M", 0, Buffer.from(text)));
    // The supervisor answers in order: it has told the memo by then.
    await notes();
  }

  await greeted;
  if (words !== HELLO) {
    connection.close();
    throw words === "" ? hasEnded() : otherProtocol(words);
  }
  return {
    start,
    notes,
    memo: () => memo,
    setMemo,
    isOpen: () => isOpen,
    closed,
    close: () => {
      isOpen = false;
      connection.close();
    },
  };
}

function hasEnded(): SkillError {
  return new SkillError("CLOSED", "The connection to the supervisor of the workspace has ended. Try again.");
}

function otherProtocol(words: string): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    `The supervisor of the workspace speaks another protocol (${JSON.stringify(words.slice(0, 60))}). Create a new workspace, or use the version of Skillwright that made it.`,
  );
}
