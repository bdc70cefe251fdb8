import type { ExecOutput } from "../exec/container-exec.js";

const MAX_BYTES = 4096;

export interface FirstLine {
  /** The wrapper's first line, without its prefix; `undefined` where there is none. */
  readonly line: string | undefined;
  /** The output that arrived with it: the command's, or the engine's where there is no line. */
  readonly rest: readonly ExecOutput[];
}

/** Reads up to the wrapper's first line, which precedes everything else on standard output. */
export async function readFirstLine(
  output: AsyncIterator<ExecOutput, void, undefined>,
  mark: Uint8Array,
): Promise<FirstLine> {
  const rest: ExecOutput[] = [];
  let first = Buffer.alloc(0);
  for (;;) {
    const next = await output.next();
    if (next.done) break;
    if (next.value.stream === "stdout") first = Buffer.concat([first, next.value.bytes]);
    else rest.push(next.value);
    const end = first.indexOf("\n");
    if (end < 0 && first.byteLength <= MAX_BYTES) continue;
    if (!first.subarray(0, mark.byteLength).equals(mark)) break;
    const line = first.subarray(mark.byteLength, end).toString("latin1");
    const after: ExecOutput = { stream: "stdout", bytes: first.subarray(end + 1) };
    return { line, rest: after.bytes.byteLength > 0 ? [after, ...rest] : rest };
  }
  return { line: undefined, rest: [{ stream: "stdout", bytes: first }, ...rest] };
}
