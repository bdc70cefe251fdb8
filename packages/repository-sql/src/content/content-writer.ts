import { createHash, randomUUID } from "node:crypto";
import { type ByteSource, byteStream, SkillError } from "@skillwright/core";
import { abortable } from "@skillwright/core/adapter";
import type { SqlDatabase, SqlValue } from "../database/sql-database.js";

/** Number of bytes in one row. */
export const CHUNK_BYTES = 256 * 1024;
const BATCH_BYTES = 1024 * 1024;
const BATCH_ROWS = 64;

export interface StoredContent {
  readonly content: string;
  readonly size: number;
  readonly sha256: string;
}

/** Writes contents in chunks, outside of any transaction: nothing refers to them until a caller stores that. */
export interface ContentWriter {
  /** @param admit Called with the bytes of each piece before it is stored. */
  write(
    source: ByteSource,
    options: { signal: AbortSignal | undefined; admit?: (bytes: Uint8Array) => void },
  ): Promise<StoredContent>;
  /** Stores what is still in memory: at most 1 MiB and one chunk. */
  finish(): Promise<void>;
  /**
   * Removes everything that was written where the work fails, except with `BACKEND_FAILED`: a transaction whose answer was
   * lost may have been committed. Then a clean-up removes it if nothing refers to it.
   */
  orDiscard<T>(work: () => Promise<T>): Promise<T>;
}

export function contentWriter(database: SqlDatabase): ContentWriter {
  const contents: string[] = [];
  let rows: SqlValue[][] = [];
  let batchBytes = 0;

  const write: ContentWriter["write"] = async (source, { signal, admit }) => {
    const content = randomUUID();
    contents.push(content);
    const hash = createHash("sha256");
    let [size, position, pieces, pending] = [0, 0, [] as Uint8Array[], 0];
    for await (const piece of abortable(byteStream(source), signal)) {
      admit?.(piece);
      hash.update(piece);
      size += piece.byteLength;
      for (let from = 0; from < piece.byteLength; ) {
        // Copied, because the caller may change the bytes while later pieces are awaited.
        const part = piece.slice(from, from + CHUNK_BYTES - pending);
        pieces.push(part);
        pending += part.byteLength;
        from += part.byteLength;
        if (pending === CHUNK_BYTES) await cut();
      }
    }
    if (pending > 0) await cut();
    return { content, size, sha256: hash.digest("hex") };

    async function cut(): Promise<void> {
      rows.push([content, position++, Buffer.concat(pieces, pending)]);
      batchBytes += pending;
      [pieces, pending] = [[], 0];
      if (batchBytes >= BATCH_BYTES || rows.length >= BATCH_ROWS) await finish();
    }
  };

  async function finish(): Promise<void> {
    const stored = rows;
    [rows, batchBytes] = [[], 0];
    if (stored.length === 0) return;
    const values = stored.map(() => `(?, ?, ?, ${database.nowMs})`).join(", ");
    await database.query(
      `INSERT INTO skillwright_chunk (content, position, bytes, stored_ms) VALUES ${values}`,
      stored.flat(),
    );
  }

  const orDiscard: ContentWriter["orDiscard"] = async (work) => {
    try {
      return await work();
    } catch (error) {
      if (!SkillError.is(error, "BACKEND_FAILED")) await discard();
      throw error;
    }
  };

  async function discard(): Promise<void> {
    rows = [];
    for (let from = 0; from < contents.length; from += BATCH_ROWS) {
      const some = contents.slice(from, from + BATCH_ROWS);
      const marks = some.map(() => "?").join(", ");
      // A clean-up removes the rows that cannot be removed now.
      await database
        .query(`DELETE FROM skillwright_chunk WHERE content IN (${marks})`, some)
        .catch(() => undefined);
    }
  }

  return { write, finish, orDiscard };
}
