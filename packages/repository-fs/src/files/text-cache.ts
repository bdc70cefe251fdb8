import { createHash } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { setImmediate } from "node:timers/promises";
import { newProcessMark } from "./process-mark.js";
import { READ_FLAGS } from "./regular-file.js";

/** Texts by key, in a file that may be deleted at any time. */
export interface TextCache {
  /** What was written last, by a process of this user; empty where there is nothing, or nothing that can be trusted. */
  read(): Promise<ReadonlyMap<string, string>>;
  /** Replaces the content at once. A failure is not reported: without the file, work is only done again. */
  write(entries: Iterable<readonly [key: string, text: string]>): Promise<void>;
}

const VERSION = "skillwright cache 1";
const MAX_BYTES = 64 * 1024 * 1024;
const PIECE_BYTES = 512 * 1024;
const LINES_AT_ONCE = 200;

/**
 * The file is private to the user and has a checksum. Its first line names the format of its texts; a file of another
 * one counts as empty.
 * @param format Changes whenever a text with the same key would be another one.
 */
export function textCache(file: string, format: string): TextCache {
  const head = `${VERSION} ${format}`;
  return {
    read: () => readTexts(file, head).catch(() => NONE),
    // Without the cache, the next process reads the files once more.
    write: (entries) => writeTexts(file, head, entries).catch(() => undefined),
  };
}

const NONE: ReadonlyMap<string, string> = new Map();

async function readTexts(file: string, head: string): Promise<ReadonlyMap<string, string>> {
  const handle = await open(file, READ_FLAGS);
  try {
    const stat = await handle.stat();
    const isOwn =
      process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & 0o077) === 0);
    if (!stat.isFile() || !isOwn || stat.size > MAX_BYTES) return NONE;
    return await checkedTexts(await handle.readFile(), head);
  } finally {
    await handle.close();
  }
}

/** The last line is the checksum of all others. */
async function checkedTexts(bytes: Buffer, head: string): Promise<ReadonlyMap<string, string>> {
  const end = bytes.lastIndexOf("\n", bytes.byteLength - 2) + 1;
  if (bytes.subarray(0, head.length + 1).toString() !== `${head}\n`) return NONE;
  const hash = createHash("sha256");
  for (let from = 0; from < end; from += PIECE_BYTES) {
    hash.update(bytes.subarray(from, Math.min(end, from + PIECE_BYTES)));
    await setImmediate();
  }
  if (bytes.subarray(end).toString() !== `${hash.digest("hex")}\n`) return NONE;
  const texts = new Map<string, string>();
  for (let from = head.length + 1; from < end; ) {
    const tab = bytes.indexOf("\t", from);
    const next = bytes.indexOf("\n", tab) + 1;
    texts.set(bytes.toString("utf8", from, tab), bytes.toString("utf8", tab + 1, next - 1));
    from = next;
    if (texts.size % LINES_AT_ONCE === 0) await setImmediate();
  }
  return texts;
}

async function writeTexts(
  file: string,
  head: string,
  entries: Iterable<readonly [key: string, text: string]>,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const prepared = `${file}.${await newProcessMark()}`;
  const handle = await open(prepared, "wx", 0o600);
  try {
    const hash = createHash("sha256");
    const write = async (text: string): Promise<void> => {
      hash.update(text);
      await handle.writeFile(text);
    };
    await write(`${head}\n`);
    let lines: string[] = [];
    for (const [key, text] of entries) {
      // A line that could be read as two is left out.
      if (!/[\t\n]/.test(key) && !text.includes("\n")) lines.push(`${key}\t${text}\n`);
      if (lines.length < LINES_AT_ONCE) continue;
      await write(lines.join(""));
      lines = [];
    }
    await write(lines.join(""));
    await handle.writeFile(`${hash.digest("hex")}\n`);
    await handle.close();
    await rename(prepared, file);
  } catch (error) {
    // The first failure is thrown.
    await handle.close().catch(() => undefined);
    await rm(prepared, { force: true });
    throw error;
  }
}
