import { createHash } from "node:crypto";
import { join } from "node:path";

const PLAIN_BYTES = 64;
const HASH_CHARACTERS = 32;
const PLAIN_CHARACTERS = 2 * PLAIN_BYTES;
const FOLDER = new RegExp(`^(?:[0-9a-f]{2}){1,${PLAIN_BYTES}}(?:-[0-9a-f]{${HASH_CHARACTERS}})?$`);

/** The directory of a collection: a short plain name, which no file system confuses with another. */
export function collectionFolder(root: string, collection: readonly string[]): string {
  return join(root, hashed(JSON.stringify(collection)));
}

/**
 * The name of a record's directory: the name's bytes in hexadecimal digits, so that directories sort like names. Of a long
 * name the first bytes and a hash.
 */
export function recordFolderName(name: string): string {
  const bytes = Buffer.from(name);
  if (bytes.length <= PLAIN_BYTES) return bytes.toString("hex");
  return `${bytes.toString("hex", 0, PLAIN_BYTES)}-${hashed(name)}`;
}

export function isRecordFolderName(folder: string): boolean {
  return FOLDER.test(folder);
}

/** The part of a directory's name by which directories sort like the names of their records. Only long names may share it. */
export function sortingPart(folder: string): string {
  return folder.slice(0, PLAIN_CHARACTERS);
}

/** The file of a log, in hexadecimal digits, since some file systems confuse upper and lower case. */
export function logFileName(log: string, generation = 0): string {
  return `${Buffer.from(log).toString("hex")}${generation === 0 ? "" : `.${generation}`}.jsonl`;
}

/** The log that the file is of; `undefined` for any other file. */
export function logOfFileName(file: string): { log: string; generation: number } | undefined {
  const [, hex, generation = "0"] = /^([0-9a-f]+)(?:\.(\d+))?\.jsonl$/.exec(file) ?? [];
  return hex === undefined
    ? undefined
    : { log: Buffer.from(hex, "hex").toString(), generation: Number(generation) };
}

function hashed(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, HASH_CHARACTERS);
}
