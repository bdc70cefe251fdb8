import { hash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { deepFreeze, HEADER_FORMAT } from "@skillwright/core/adapter";
import { type Stamp, stampOf } from "../files/stamp.js";
import { type TextCache, textCache } from "../files/text-cache.js";
import type { HeaderMemory, RememberedHeader, SkillHeader } from "./read-summary.js";

/** Headers that an earlier process read, so that a new one lists thousands of skills without opening a file. */
export interface HeadCache {
  /** Reads the file, the first time. */
  load(root: string): Promise<void>;
  /** False once the first listing is over. */
  readonly isLoaded: boolean;
  /** The header of a SKILL.md with this stamp in a directory of this name. */
  find(stamp: Stamp, directoryName: string): SkillHeader | undefined;
  has(stamp: Stamp, directoryName: string): boolean;
  /** Counts a header that was read from its SKILL.md. */
  noteRead(): void;
  /** Ends the use of what was loaded, and writes the file in the background where many headers were read. */
  save(memory: HeaderMemory): void;
  /** Waits until the file is written. */
  saved(): Promise<void>;
}

/** Fewer are read as fast as the file. */
const MANY = 200;

/** @param directory Where the file is; `undefined` for no cache. */
export function headCache(directory: string | undefined): HeadCache {
  let file: TextCache | undefined;
  let texts: ReadonlyMap<string, string> = new Map();
  let read = 0;
  let writing: Promise<void> | undefined;
  return {
    async load(root) {
      if (directory === undefined || file) return;
      const name = `heads-${hash("sha256", root, "hex").slice(0, 32)}`;
      file = textCache(join(directory, name), `heads ${HEADER_FORMAT}`);
      texts = await file.read();
    },
    get isLoaded() {
      return texts.size > 0;
    },
    find(stamp, directoryName) {
      const text = texts.get(keyOf(stamp, directoryName));
      return text === undefined ? undefined : deepFreeze(JSON.parse(text) as SkillHeader);
    },
    has: (stamp, directoryName) => texts.has(keyOf(stamp, directoryName)),
    noteRead() {
      read++;
    },
    save(memory) {
      texts = new Map();
      if (read < MANY) return;
      read = 0;
      // A copy, because the repository may be closed before all is written.
      writing = file?.write(lines([...memory.values()]));
    },
    async saved() {
      await writing;
    },
  };
}

/** `skillwright` in the directory for caches of the user; `undefined` where the system names none. */
export function userCacheDirectory(): string | undefined {
  const given = process.env["XDG_CACHE_HOME"];
  if (given?.startsWith("/")) return join(given, "skillwright");
  const home = homedir();
  if (!home.startsWith("/")) return undefined;
  return join(home, process.platform === "darwin" ? "Library/Caches" : ".cache", "skillwright");
}

function* lines(headers: readonly RememberedHeader[]): Generator<readonly [key: string, text: string]> {
  for (const { stamp, name, header } of headers) yield [keyOf(stamp, name), JSON.stringify(header)];
}

/** The header of a file without a name has the name of its directory. */
function keyOf(stamp: Stamp, directoryName: string): string {
  return `${stampOf(stamp)} ${directoryName}`;
}
