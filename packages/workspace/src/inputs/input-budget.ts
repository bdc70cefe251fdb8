import { type ByteStream, SkillError } from "@skillwright/core";
import { limitedStream } from "../waiting/limited-stream.js";
import type { InputTree } from "./input-tree.js";

/** Limits for all inputs of a run together. */
export const INPUT_LIMITS = { files: 5000, bytes: 4 * 1024 ** 3 } as const;

/** The remainder of the limits while inputs are staged one after the other. */
export interface InputBudget {
  /**
   * Call it before writing anything of the tree. @throws SkillError `LIMIT_EXCEEDED` where files or known sizes exceed
   * the remainder.
   */
  claim(tree: InputTree): void;
  /** Wraps the stream; it fails with `LIMIT_EXCEEDED` when it exceeds the remainder. */
  counted(content: ByteStream): ByteStream;
  /** Bytes read so far. */
  used(): number;
}

export function inputBudget(limits: { files: number; bytes: number } = INPUT_LIMITS): InputBudget {
  let files = 0;
  let bytes = 0;

  async function* counted(content: ByteStream): ByteStream {
    for await (const piece of limitedStream(content, limits.bytes - bytes)) {
      bytes += piece.byteLength;
      yield piece;
    }
  }

  return {
    claim(tree) {
      files += tree.files.length;
      if (files > limits.files) throw tooMuch(`${files} files`, `${limits.files} files`);
      const known = tree.files.reduce((sum, { size = 0 }) => sum + size, bytes);
      if (known > limits.bytes) throw tooMuch(`${known} bytes`, `${limits.bytes} bytes`);
    },
    counted,
    used: () => bytes,
  };
}

export function tooMuch(found: string, allowed: string): SkillError {
  return new SkillError(
    "LIMIT_EXCEEDED",
    `The inputs contain ${found} or more; a run accepts ${allowed}. Give fewer files, or a smaller directory.`,
    { details: { limit: allowed } },
  );
}
