import { turnTaking } from "../turn-taking.js";
import { TIMES } from "./search-index.js";
import type { Vocabulary } from "./vocabulary.js";

/** Keeps an index for other processes: texts by key, that may be lost at any time. */
export interface SearchStore {
  /** What was kept last; empty where there is nothing. */
  read(): Promise<ReadonlyMap<string, string>>;
  /** Replaces it. A failure need not be reported: without it, bodies are only read again. */
  write(entries: Iterable<readonly [key: string, text: string]>): Promise<void>;
}

/** The terms of skills that an earlier process found in their bodies, for one new index. */
export interface KeptTerms {
  /** Reads the kept terms at the first call. If they contain many of the keys, their words are put into the vocabulary first. */
  load(keys: readonly string[], words: Vocabulary): Promise<void>;
  find(key: string): readonly number[] | undefined;
  /** Notes what was found in a body. */
  note(key: string, terms: readonly number[]): void;
  /** Ends the use of what was read, and writes in the background where many bodies were new. */
  save(words: Vocabulary): void;
  /** Waits until it is written. */
  saved(): Promise<void>;
}

/** A store is written after at least so many new bodies: fewer are read as fast as the store is. */
const MANY = 100;
/** Key of the vocabulary. Raise its number when `skillTerms` or `searchTerm` find other terms in a text. */
const VOCABULARY = "terms 1";

export function keptTerms(store: SearchStore | undefined): KeptTerms {
  /** What the store had; `undefined` before it was read. */
  let read: ReadonlyMap<string, string> | undefined = store ? undefined : new Map();
  let isOver = store === undefined;
  const texts = new Map<string, string>();
  let end = 0;
  let noted = 0;
  let writing: Promise<void> | undefined;

  async function load(keys: readonly string[], words: Vocabulary): Promise<void> {
    if (read) return;
    // Without the kept terms, the skills are read once more.
    const found = await store?.read().catch(() => undefined);
    const terms = found?.get(VOCABULARY)?.split(" ") ?? [];
    const used = keys.filter((key) => found?.has(key)).length;
    // Otherwise words of skills that are gone would stay for ever.
    const isOfUse = found !== undefined && terms.length > 1 && 2 * used > found.size - 1;
    const takeTurn = turnTaking();
    if (isOfUse)
      for (const term of terms) {
        await takeTurn();
        words.numberOf(term);
      }
    read = isOfUse ? found : new Map();
    end = words.size * TIMES;
  }

  return {
    load,
    find(key) {
      const text = read?.get(key);
      const terms = text === undefined ? undefined : numbersOf(text);
      // The store returned something else than was written.
      if (text === undefined || !terms?.every((one) => one < end)) return undefined;
      texts.set(key, text);
      return terms;
    },
    note(key, terms) {
      if (isOver) return;
      noted++;
      texts.set(key, textOf(terms));
    },
    save(words) {
      if (!isOver && noted >= MANY)
        // Without the kept terms, the next process reads the skills once more.
        writing = store
          ?.write([[VOCABULARY, allOf(words)] as const, ...texts].values())
          .catch(() => undefined);
      isOver = true;
      read = new Map();
      texts.clear();
    },
    saved: async () => await writing,
  };
}

function textOf(numbers: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(4 * numbers.length);
  for (const [at, number] of numbers.entries()) bytes.writeUInt32LE(number, 4 * at);
  return bytes.toString("base64");
}

function numbersOf(text: string): readonly number[] {
  const bytes = Buffer.from(text, "base64");
  const numbers: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) numbers.push(bytes.readUInt32LE(at));
  return numbers;
}

function allOf(words: Vocabulary): string {
  const terms: string[] = [];
  for (let term = 0; term < words.size; term++) terms.push(words.text(term));
  return terms.join(" ");
}
