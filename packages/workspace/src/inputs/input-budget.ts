import { type ByteStream, SkillError } from "@skillwright/core";
import { limitedStream } from "../waiting/limited-stream.js";
import type { InputTree } from "./input-tree.js";

/** Of all inputs of a run together. */
export const INPUT_LIMITS = { files: 5000, bytes: 4 * 1024 ** 3 } as const;

/** What is left of the limits while one input after the other is staged. */
export interface InputBudget {
  /** Before anything of it is written. @throws SkillError `LIMIT_EXCEEDED` where files or known sizes pass what is left. */
  claim(tree: InputTree): void;
  /** The stream, which ends with `LIMIT_EXCEEDED` when more comes than is left. */
  counted(content: ByteStream): ByteStream;
  /** Bytes that went through so far. */
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
    `The inputs hold ${found} or more; a run takes ${allowed}. Name fewer files, or a smaller directory.`,
    { details: { limit: allowed } },
  );
}
