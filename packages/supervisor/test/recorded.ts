import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { ownProgram } from "./supervised.js";

interface Recorded {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly report: () => string[];
  readonly tookMs: () => number;
  /** Writes a line to the control pipe; false where no supervisor reads it. */
  readonly tell: (line: string) => boolean;
  /** Writes to the standard input as another process. Returns false if nobody reads it. */
  readonly write: (text: string) => boolean;
  /** The bytes of a stream by their position, of all its segments. */
  readonly kept: (stream: "stdout" | "stderr") => { position: number; offset: number; text: string }[];
}

/** Starts a recorded run in a new directory, with the bytes for descriptors 5 and on. */
export function recorded(
  directory: string,
  options: readonly string[],
  command: readonly string[],
  { given = [], env = process.env }: { given?: readonly Uint8Array[]; env?: NodeJS.ProcessEnv } = {},
): Recorded {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "lease"), "");
  const file = openSync(join(directory, "report"), "a");
  const args = ["run", "--report", "3", "--record", directory, ...options, "--", ...command];
  const none = given.map(() => "pipe" as const);
  const child = spawn(ownProgram, args, {
    stdio: ["ignore", "ignore", "pipe", file, "ignore", ...none],
    env,
    detached: true,
  });
  closeSync(file);
  given.forEach((bytes, index) => {
    const pipe = child.stdio[5 + index] as Writable;
    pipe.on("error", () => undefined).end(bytes);
  });
  return {
    child,
    ended: once(child, "exit").then(([code]) => code),
    report: () =>
      readFileSync(join(directory, "report"), "utf8")
        .split("\n")
        .slice(0, -1)
        .filter((line) => !line.startsWith("supervisor "))
        .map((line) => line.replace(/^(child|took) \d+$/, "$1")),
    tookMs: () => Number(/^took (\d+)$/m.exec(readFileSync(join(directory, "report"), "utf8"))?.[1]),
    tell: (line) => written(join(directory, "control"), `${line}\n`),
    write: (text) => written(join(directory, "input"), text),
    kept: (stream) => kept(directory, stream),
  };
}

function written(pipe: string, text: string): boolean {
  try {
    const fd = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    writeFileSync(fd, text);
    closeSync(fd);
    return true;
  } catch (error) {
    if (["ENXIO", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

function kept(directory: string, stream: string) {
  const names = readdirSync(directory).filter((name) => name.startsWith(`${stream}.`));
  const segments = names.map((name) => Number(name.slice(stream.length + 1))).sort((a, b) => a - b);
  return segments.flatMap((start) => framesOf(readFileSync(join(directory, `${stream}.${start}`)), start));
}

function framesOf(bytes: Buffer, start: number) {
  const frames: { position: number; offset: number; text: string }[] = [];
  for (let at = 0, position = start; at < bytes.length; ) {
    const length = bytes.readUInt32LE(at + 8);
    const text = bytes.toString("latin1", at + 12, at + 12 + length);
    frames.push({ position, offset: Number(bytes.readBigUInt64LE(at)), text });
    position += length;
    at += 12 + length;
  }
  return frames;
}

/** Bytes after their number, as `--whole` and `--mask` read them. */
export function whole(bytes: Uint8Array): Uint8Array {
  const head = Buffer.alloc(8);
  head.writeBigUInt64LE(BigInt(bytes.length));
  return Buffer.concat([head, bytes]);
}

/** What `--mask` reads for these texts. */
export function masks(...texts: readonly string[]): Uint8Array {
  const patterns = texts.flatMap((text) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(Buffer.byteLength(text));
    return [length, Buffer.from(text)];
  });
  return whole(Buffer.concat(patterns));
}
