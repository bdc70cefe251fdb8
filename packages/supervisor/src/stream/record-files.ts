import type { ByteStream, Diagnostic, Isolation, RunLimits } from "@skillwright/core";

/** What is known about a run before it begins, recorded out of its reach. */
export interface RunRecord {
  readonly formatVersion: 1;
  readonly runId: string;
  /** The record stays until the workspace is destroyed; otherwise until the result was taken, or the lease lapsed. */
  readonly isKept: boolean;
  readonly maxOutputBytes: number;
  /** Bytes of each stream that the record certainly keeps, where they are more. */
  readonly keptBytes?: number | undefined;
  /** The time limit, for a host that has to wake the place of the run. */
  readonly timeoutMs?: number | undefined;
  readonly leaseMs: number;
  readonly isolation: Isolation;
  /** The limits that are enforced for the run, or for the container or pod that it is in. */
  readonly limits: RunLimits;
  /** Identifies the place of the run in its time, for the runtime: such as when its container was last started. */
  readonly place?: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface RecordContent {
  readonly record: RunRecord;
  /** The whole environment of the command. */
  readonly environment: Readonly<Record<string, string>>;
  /** Byte strings that must not be in the recorded output. */
  readonly patterns: readonly Uint8Array[];
  readonly input?: { readonly size: number; readonly stream: () => ByteStream } | undefined;
}

/** The bytes of `--put`: all that the supervisor of a recorded run reads. */
export async function* recordFiles({ record, environment, patterns, input }: RecordContent): ByteStream {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}\0`);
  const strings = patterns.flatMap((pattern) => [number(pattern.byteLength, 4), pattern]);
  const files = Buffer.concat([
    file("run.json", Buffer.from(JSON.stringify(record))),
    file("lease", Buffer.alloc(0)),
    file("environment", whole(Buffer.from(variables.join("")))),
    ...(patterns.length > 0 ? [file("mask", whole(Buffer.concat(strings)))] : []),
  ]);
  if (input) {
    yield Buffer.concat([files, head("input", input.size)]);
    yield* input.stream();
  }
  yield input ? LAST : Buffer.concat([files, LAST]);
}

/** An empty name, which ends the list of files. */
const LAST = Uint8Array.of(0);

function file(name: string, content: Buffer): Buffer {
  return Buffer.concat([head(name, content.byteLength), content]);
}

function head(name: string, size: number): Buffer {
  return Buffer.concat([Buffer.of(name.length), Buffer.from(name), number(size, 8)]);
}

/** The supervisor starts nothing where bytes are missing. */
function whole(bytes: Buffer): Buffer {
  return Buffer.concat([number(bytes.byteLength, 8), bytes]);
}

/** The lowest byte first. */
function number(value: number, bytes: 4 | 8): Buffer {
  const written = Buffer.alloc(bytes);
  written.writeUIntLE(value, 0, Math.min(bytes, 6));
  return written;
}
