import { open } from "node:fs/promises";

let index;

/**
 * One of the predefined character maps of PDF, which Chinese, Japanese and Korean documents refer to by name. They are
 * in one file of the skill: a line of JSON with the place and size of each, then their bytes.
 */
export async function characterMap(filename) {
  const file = await open(new URL("../assets/character-maps.bin", import.meta.url));
  try {
    index ??= await readIndex(file);
    const [start, size] = index.maps[filename] ?? [];
    if (start === undefined) throw new Error(`The character map ${filename} is not known.`);
    return new Uint8Array(await bytesAt(file, index.offset + start, size));
  } finally {
    await file.close();
  }
}

async function readIndex(file) {
  const head = await bytesAt(file, 0, 1 << 14);
  const end = head.indexOf(10);
  return { maps: JSON.parse(head.subarray(0, end).toString("utf8")), offset: end + 1 };
}

async function bytesAt(file, position, length) {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
