import { type ByteStream, SkillError } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import type { SqlConnection } from "../database/sql-database.js";
import type { StoredContent } from "./content-writer.js";

/** Reads one chunk at a time, each by its own statement, so that an unread stream holds nothing in the database. */
export async function* readContent(
  connection: SqlConnection,
  { content, size }: Pick<StoredContent, "content" | "size">,
  { name, signal }: { readonly name: string; readonly signal?: AbortSignal | undefined },
): ByteStream {
  let read = 0;
  for (let position = 0; read < size; position++) {
    checkAborted(signal);
    const [row] = await connection.query(
      "SELECT bytes FROM skillwright_chunk WHERE content = ? AND position = ?",
      [content, position],
    );
    const bytes = row?.["bytes"];
    if (!(bytes instanceof Uint8Array)) throw incomplete(name);
    read += bytes.byteLength;
    yield bytes;
  }
}

function incomplete(name: string): SkillError {
  const message = `The content of "${name}" is no longer whole in the database: it was removed while it was read, or the database is damaged. Read it again; where it stays so, store it again.`;
  return new SkillError("BACKEND_FAILED", message);
}
