import { hash } from "node:crypto";
import type { SkillFile } from "./skill-files.js";

const NUMBERS = 5;
/** A name has at most three bytes for each of its characters. */
const MOST_BYTES = 3;
let room = roomFor(4096);

/** Over what `stampOf` is made of, as numbers, then the paths: as texts it takes several times as long. */
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

/** One for all marks: they are made one after the other. */
function roomFor(most: number): { readonly bytes: Buffer; readonly numbers: BigInt64Array } {
  const numbers = new BigInt64Array(Math.ceil(most / BigInt64Array.BYTES_PER_ELEMENT));
  return { numbers, bytes: Buffer.from(numbers.buffer) };
}
