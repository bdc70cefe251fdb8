import { type CallOptions, SkillError } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import WebSocket from "ws";
import type { ClusterCall } from "./cluster.js";
import type { Access } from "./cluster-access.js";
import { answerError, unreachable } from "./cluster-error.js";

export interface ExecWish {
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
}

/** A process in a container. Its exit is not told: a broken exec can look like a success. */
export interface PodExec {
  /** What it writes to standard output, at the pace of the reader, until the connection ends. Read once. */
  readonly output: AsyncIterable<Uint8Array>;
  /** The first 8 KiB of its standard error. */
  errors(): string;
  /** Settles when the connection took the bytes. @throws SkillError `BACKEND_FAILED`. */
  write(bytes: Uint8Array): Promise<void>;
  isOpen(): boolean;
  close(): void;
  /** Whether the connection keeps this process alive. */
  inUse(isInUse: boolean): void;
}

const PROTOCOL = "v5.channel.k8s.io";
const [STDIN, STDOUT, STDERR, STATUS] = [0, 1, 2, 3];
/** Bytes that may wait in memory in each direction. */
const MOST_WAITING = 1024 * 1024;
const MOST_ERRORS = 8192;

export function execCall(namespace: string, { pod, container, command }: ExecWish): ClusterCall {
  const query = new URLSearchParams([
    ["container", container],
    ["stdin", "true"],
    ["stdout", "true"],
    ["stderr", "true"],
    ...command.map((word): [string, string] => ["command", word]),
  ]);
  return {
    path: `/api/v1/namespaces/${namespace}/pods/${pod}/exec?${query}`,
    doing: `Starting a process in the pod ${pod}`,
  };
}

/**
 * Resolves when the connection is open; the process may not have been started yet.
 * @param call As `execCall` returns it.
 */
export async function startExec(
  access: Access,
  call: ClusterCall,
  {
    signal,
    callTimeoutMs,
    wasThere,
  }: CallOptions & { readonly callTimeoutMs: number; readonly wasThere: boolean },
): Promise<PodExec> {
  checkAborted(signal);
  const url = new URL(call.path, access.server);
  url.protocol = "wss:";
  const socket = new WebSocket(url, [PROTOCOL], {
    ...access.tls,
    headers: await access.headers(),
    handshakeTimeout: callTimeoutMs,
    perMessageDeflate: false,
    maxPayload: 64 * 1024 * 1024,
    // A mask keeps proxies from taking bytes for a request. Inside TLS there are none, and masking costs as much as encrypting.
    generateMask: (mask) => void mask.fill(0),
  });
  const exec = pump(socket, callTimeoutMs);
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      socket.terminate();
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", abort, { once: true });
    socket.once("open", () => {
      signal?.removeEventListener("abort", abort);
      resolve();
    });
    socket.once("error", (error) => reject(unreachable(call, access.server, error, wasThere)));
    socket.once("unexpected-response", (_, answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      answer.on("end", () => reject(answerError(call, answer.statusCode ?? 500, text)));
    });
  });
  checkAborted(signal);
  return exec;
}

/** @param stuckMs The connection is closed when the other side reads nothing for so long: it may have ended unnoticed. */
function pump(socket: WebSocket, stuckMs: number): PodExec {
  let waiting: Uint8Array[] = [];
  let held = 0;
  let errors = "";
  let isOver = false;
  let isStuck = false;
  let wake = () => {};
  const failure = (cause?: Error) => (isStuck ? stuck(stuckMs) : broken(cause));
  const over = () => {
    isOver = true;
    wake();
  };
  socket.on("error", () => undefined);
  // One for each write that waits.
  socket.setMaxListeners(0);
  socket.on("close", over);
  socket.on("message", (data: Buffer) => {
    const stream = data[0];
    const bytes = data.subarray(1);
    if (stream === STDOUT && bytes.byteLength > 0) {
      waiting.push(bytes);
      held += bytes.byteLength;
      if (held > MOST_WAITING) socket.pause();
      wake();
    } else if (stream === STDERR) errors = (errors + bytes.toString("utf8")).slice(0, MOST_ERRORS);
    else if (stream === STATUS) {
      errors = (errors + statusMessage(bytes.toString("utf8"))).slice(0, MOST_ERRORS);
      socket.close();
    }
  });

  async function* output(): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const pieces = waiting;
      waiting = [];
      held = 0;
      if (socket.isPaused) socket.resume();
      yield* pieces;
      if (waiting.length > 0) continue;
      if (isOver) return;
      await new Promise<void>((resume) => {
        wake = resume;
      });
    }
  }

  async function write(bytes: Uint8Array): Promise<void> {
    if (socket.readyState !== WebSocket.OPEN) throw failure();
    const message = Buffer.allocUnsafe(bytes.byteLength + 1);
    message[0] = STDIN as number;
    message.set(bytes, 1);
    let waiting = 0;
    const look = () => {
      if (socket.bufferedAmount < waiting) waiting = socket.bufferedAmount;
      else {
        isStuck = true;
        socket.terminate();
      }
    };
    let looking: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve, reject) => {
      const closed = () => reject(failure());
      socket.once("close", closed);
      socket.send(message, { binary: true }, (error) => {
        socket.off("close", closed);
        if (error) reject(failure(error));
        else resolve();
      });
      waiting = socket.bufferedAmount;
      if (waiting <= MOST_WAITING) resolve();
      else looking = setInterval(look, stuckMs);
    }).finally(() => clearInterval(looking));
  }

  return {
    output: output(),
    errors: () => errors,
    write,
    isOpen: () => !isOver && socket.readyState === WebSocket.OPEN,
    close: () => {
      socket.terminate();
      over();
    },
    inUse: (isInUse) => {
      const { _socket: raw } = socket as unknown as { _socket?: { ref(): void; unref(): void } };
      if (isInUse) raw?.ref();
      else raw?.unref();
    },
  };
}

function statusMessage(text: string): string {
  try {
    const { status, message = "" } = JSON.parse(text) as { status?: string; message?: string };
    return status === "Success" ? "" : message;
  } catch {
    return text;
  }
}

function broken(cause?: Error): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    "The connection to a process in the workspace's pod has ended. Check the cluster, and try again.",
    { cause },
  );
}

function stuck(stuckMs: number): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The connection to a process in the workspace's pod took no bytes for ${stuckMs} ms. Check the cluster and try again, or raise callTimeoutMs.`,
  );
}
