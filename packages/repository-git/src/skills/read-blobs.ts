import { SkillError } from "@skillwright/core";
import type { GitProgram } from "../process/git-program.js";

export interface Blob {
  readonly id: string;
  readonly bytes: Uint8Array;
}

const LINE_FEED = 10;
const MAX_HEAD_BYTES = 256;

/**
 * Reads contents by their ids, with one process, in the requested order. The bytes belong to the caller.
 * @param wanted Ids with their listed sizes, which are verified.
 * @throws SkillError `BACKEND_FAILED` where one is missing; `ABORTED`.
 */
export async function* readBlobs(
  git: GitProgram,
  gitDirectory: string,
  wanted: readonly { readonly id: string; readonly size: number }[],
  signal: AbortSignal | undefined,
): AsyncGenerator<Blob, void, undefined> {
  if (wanted.length === 0) return;
  const input = wanted.map(({ id }) => `${id}\n`).join("");
  const pieces = git
    .local([`--git-dir=${gitDirectory}`, "cat-file", "--batch"], { signal, input })
    [Symbol.asyncIterator]();
  let pending: Uint8Array[] = [];
  let held = 0;
  try {
    for (const { id, size } of wanted) {
      const head = Buffer.from(await take((await lineLength()) + 1)).toString("latin1");
      if (head !== `${id} blob ${size}\n`) throw damaged(gitDirectory, id);
      const bytes = await take(size + 1);
      yield { id, bytes: bytes.subarray(0, size) };
    }
  } finally {
    await pieces.return?.();
  }

  async function more(): Promise<void> {
    const next = await pieces.next();
    if (next.done) throw damaged(gitDirectory, "the end");
    pending.push(next.value);
    held += next.value.byteLength;
  }

  async function lineLength(): Promise<number> {
    for (;;) {
      const text = joined();
      const end = text.indexOf(LINE_FEED);
      if (end !== -1) return end;
      if (held > MAX_HEAD_BYTES) throw damaged(gitDirectory, "a head");
      await more();
    }
  }

  async function take(length: number): Promise<Uint8Array> {
    while (held < length) await more();
    const text = joined();
    pending = [text.subarray(length)];
    held -= length;
    return new Uint8Array(text.subarray(0, length));
  }

  function joined(): Uint8Array {
    const [only] = pending;
    const text = pending.length === 1 && only ? only : Buffer.concat(pending);
    pending = [text];
    return text;
  }
}

function damaged(gitDirectory: string, what: string): SkillError {
  const message = `The cached repository ${gitDirectory} is damaged: ${what} is missing. Remove the folder, and list again.`;
  return new SkillError("BACKEND_FAILED", message);
}
