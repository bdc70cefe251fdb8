import { hash } from "node:crypto";
import type { SkillFile } from "./skill-files.js";

const NUMBERS = 5;
/** UTF-8 takes at most three bytes for each UTF-16 unit. */
const MOST_BYTES = 3;
let room = roomFor(4096);

/** Hashes the data of `stampOf` as numbers, then the paths. Hashing the texts would take several times as long. */
export function markOf(files: readonly SkillFile[]): string {
  const paths = files.map(({ path }) => path).join("\0");
  const start = files.length * NUMBERS * BigInt64Array.BYTES_PER_ELEMENT;
  const most = start + paths.length * MOST_BYTES;
  if (room.bytes.byteLength < most) room = roomFor(most);
  const { bytes, numbers } = room;
  let at = 0;
  for (const { stat } of files) {
    numbers[at++] = stat.dev;
    numbers[at++] = stat.ino;
    numbers[at++] = stat.size;
    numbers[at++] = stat.mtimeNs;
    numbers[at++] = stat.ctimeNs;
  }
  return hash("sha256", bytes.subarray(0, start + bytes.write(paths, start)), "hex").slice(0, 32);
}

/** One buffer for all marks, because they are computed one after the other. */
function roomFor(most: number): { readonly bytes: Buffer; readonly numbers: BigInt64Array } {
  const numbers = new BigInt64Array(Math.ceil(most / BigInt64Array.BYTES_PER_ELEMENT));
  return { numbers, bytes: Buffer.from(numbers.buffer) };
}
