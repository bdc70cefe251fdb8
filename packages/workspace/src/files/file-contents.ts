import type { ByteStream, RuntimeWorkspace } from "@skillwright/core";
import type { GetManyOptions, RequestedFile } from "@skillwright/core/adapter";

/** Reads many files, one after the other. */
export interface FileContents {
  /** Like `get` of the runtime. The previously opened file is discarded, read or not. */
  open(path: string): Promise<ByteStream>;
  /** Releases what is still open. Never rejects. */
  close(): Promise<void>;
}

/**
 * Opens the files with a single call where the runtime supports it, otherwise one by one. Open them in the order of
 * `paths`, all or some. Files affected by a failure of the single call are requested again individually.
 */
export function fileContents(
  workspace: RuntimeWorkspace,
  paths: readonly string[],
  { signal, tell }: GetManyOptions,
): FileContents {
  const answer = paths.length > 1 ? workspace.getMany?.(paths, { signal, tell }) : undefined;
  const many = answer?.[Symbol.asyncIterator]();
  const expected = new Set(many ? paths : []);

  async function requested(path: string): Promise<RequestedFile | undefined> {
    if (!many || !expected.has(path)) return undefined;
    try {
      for (let next = await many.next(); !next.done; next = await many.next()) {
        expected.delete(next.value.path);
        if (next.value.path === path) return next.value;
      }
    } catch {
      // Each file then reports its own error.
    }
    expected.clear();
    return undefined;
  }

  return {
    async open(path) {
      const file = await requested(path);
      if (!file) return await workspace.get(path, { signal });
      if ("error" in file) throw file.error;
      return file.content;
    },
    async close() {
      // Nothing is read any more.
      await many?.return?.().catch(() => undefined);
    },
  };
}
