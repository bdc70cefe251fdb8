import type { ByteStream, GetManyOptions, RequestedFile, RuntimeWorkspace } from "@skillwright/core";

/** The bytes of many files, one file after the other. */
export interface FileContents {
  /** As `get` of the runtime. What was opened before is passed over then, read or not. */
  open(path: string): Promise<ByteStream>;
  /** Lets go of what is still open. Never rejects. */
  close(): Promise<void>;
}

/**
 * Opens the files in one call for all of them where the runtime can, else one by one. They are to be opened in the order of
 * `paths`, some of them or all; what comes to grief together is asked for again by itself.
 */
export function fileContents(
  workspace: RuntimeWorkspace,
  paths: readonly string[],
  { signal, tell }: GetManyOptions,
): FileContents {
  const { getMany } = workspace;
  const many =
    getMany && paths.length > 1 ? getMany(paths, { signal, tell })[Symbol.asyncIterator]() : undefined;
  const expected = new Set(many ? paths : []);

  async function requested(path: string): Promise<RequestedFile | undefined> {
    if (!many || !expected.has(path)) return undefined;
    try {
      for (let next = await many.next(); !next.done; next = await many.next()) {
        expected.delete(next.value.path);
        if (next.value.path === path) return next.value;
      }
    } catch {
      // Each file tells by itself what is the matter.
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
      await many?.return?.().catch(() => undefined);
    },
  };
}
