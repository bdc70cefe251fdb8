import { createHash, hash } from "node:crypto";
import { byteStream, type CallOptions, SkillError } from "@skillwright/core";
import { abortable, type FileEntry } from "@skillwright/core/adapter";
import type { PodExec } from "../cluster/pod-exec.js";

/** An answer of `supervisor files`; `PROTOCOL.md` describes the kinds. */
interface Answer {
  readonly kind: string;
  readonly bytes: Buffer;
}

/** Text, or the bytes of the only field. */
type Fields = readonly string[] | readonly [Uint8Array];

/** One process of `supervisor files`. Its requests are answered in their order. */
export interface FileSession {
  /** @throws FileTrouble where the answer is an error, SkillError `BACKEND_FAILED` when the connection ends. */
  ask(kind: string, ...fields: Fields): Promise<Answer>;
  /** Small requests are held back and sent together, at the latest before the next `answer`. */
  send(kind: string, ...fields: Fields): Promise<void>;
  /** @throws as `ask`. */
  answer(): Promise<Answer>;
  isOpen(): boolean;
  close(): void;
  inUse(isInUse: boolean): void;
}

/** An error number of Linux that the far end tells. */
export class FileTrouble extends Error {
  readonly errno: number;

  constructor(errno: number) {
    super(`error ${errno}`);
    this.errno = errno;
  }
}

const HEAD_BYTES = 5;
const HELLO = "o";
/** Most bytes of one answer: its kind, and 1 MiB of content. */
const MOST_FRAME = 1 + 1024 * 1024;
/** Held requests are sent when they are this long. One message costs about as much as sending so many bytes. */
const TOGETHER_BYTES = 65_536;

/** @throws SkillError `BACKEND_FAILED`. */
export async function fileSession(exec: PodExec): Promise<FileSession> {
  const answers = answersOf(exec.output);
  let isOpen = true;
  let held = Buffer.allocUnsafe(0);
  let heldBytes = 0;

  async function flush(): Promise<void> {
    const together = held.subarray(0, heldBytes);
    [held, heldBytes] = [Buffer.allocUnsafe(0), 0];
    if (together.byteLength > 0) await exec.write(together);
  }

  function roomFor(length: number): void {
    if (held.byteLength - heldBytes >= length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * TOGETHER_BYTES, heldBytes + length));
    held.copy(larger, 0, 0, heldBytes);
    held = larger;
  }

  async function send(kind: string, ...fields: Fields): Promise<void> {
    const content = fields.length === 1 ? fields[0] : fields.join("\0");
    const length = content === undefined ? 0 : Buffer.byteLength(content);
    roomFor(HEAD_BYTES + length);
    held.writeUInt32LE(1 + length, heldBytes);
    held.write(kind, heldBytes + 4, "latin1");
    heldBytes += HEAD_BYTES;
    if (typeof content === "string") held.write(content, heldBytes);
    else if (content) held.set(content, heldBytes);
    heldBytes += length;
    if (heldBytes >= TOGETHER_BYTES) await flush();
  }

  async function answer(): Promise<Answer> {
    await flush();
    const { done, value } = await answers.next();
    if (done) {
      isOpen = false;
      throw new SkillError(
        "BACKEND_FAILED",
        `The connection to the files of the workspace has ended. ${exec.errors() || "The pod may have ended."} Try again.`,
      );
    }
    if (value.kind === "x") throw new FileTrouble(Number(value.bytes.toString("latin1")));
    return value;
  }

  const session: FileSession = {
    send,
    answer,
    ask: async (kind, ...fields) => {
      await send(kind, ...fields);
      return await answer();
    },
    isOpen: () => isOpen && exec.isOpen(),
    close: () => {
      isOpen = false;
      exec.close();
    },
    inUse: exec.inUse,
  };
  try {
    if ((await answer()).kind !== HELLO)
      throw new SkillError(
        "BACKEND_FAILED",
        "The files of the workspace cannot be reached: the pod has another supervisor. Create a new workspace.",
      );
  } catch (error) {
    session.close();
    throw error;
  }
  return session;
}

async function* answersOf(output: AsyncIterable<Uint8Array>): AsyncGenerator<Answer, void, undefined> {
  let held: Buffer = Buffer.alloc(0);
  for await (const bytes of output) {
    held = held.length === 0 ? Buffer.from(bytes) : Buffer.concat([held, bytes]);
    let at = 0;
    while (held.length - at >= HEAD_BYTES) {
      const length = held.readUInt32LE(at);
      if (length > MOST_FRAME) throw tooLong();
      const end = at + 4 + length;
      if (held.length < end) break;
      yield { kind: String.fromCharCode(held[at + 4] as number), bytes: held.subarray(at + HEAD_BYTES, end) };
      at = end;
    }
    held = held.subarray(at);
  }
}

function tooLong(): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    "The files of the workspace cannot be read: its pod sends something else than a supervisor does. Check the image of the supervisor.",
  );
}

const PIECE = 65_536;

/** Sends one file; its answer tells whether it was written with this digest. */
export async function sendFile(
  session: FileSession,
  token: string,
  name: string,
  { content, executable = false }: Omit<FileEntry, "path">,
  { signal }: CallOptions,
): Promise<void> {
  await session.send("F", token, name, executable ? "x" : "-");
  if (content instanceof Uint8Array) {
    await sendPieces(session, content);
    await session.send("E", hash("sha256", content));
    return;
  }
  const digest = createHash("sha256");
  for await (const bytes of abortable(byteStream(content), signal)) {
    digest.update(bytes);
    await sendPieces(session, bytes);
  }
  await session.send("E", digest.digest("hex"));
}

async function sendPieces(session: FileSession, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.byteLength; at += PIECE)
    await session.send("D", bytes.subarray(at, at + PIECE));
}
