import { useCallback, useRef, useState } from "react";
import { texts } from "../texts/index.js";
import { bytesInWords } from "../ui/words.js";
import type { GivenFile } from "./dropped-files.js";
import { type StoredUpload, sendFile } from "./send-file.js";

export interface UploadItem {
  readonly key: number;
  readonly name: string;
  readonly size: number;
  readonly sent: number;
  readonly state: "waiting" | "sending" | "stored" | "failed";
  readonly failure?: string;
  readonly stored?: StoredUpload;
}

/** The files of the next message. */
export interface Uploads {
  readonly items: readonly UploadItem[];
  readonly isSending: boolean;
  readonly add: (files: readonly GivenFile[]) => void;
  /** Cancels an upload that runs, and forgets one that has ended. */
  readonly remove: (key: number) => void;
  /** Returns the stored files and empties the list. */
  readonly taken: () => readonly StoredUpload[];
}

/** Uploads of files, one after the other. Files that are larger than the server takes are refused before. */
export function useUploads(conversation: () => Promise<string>, maxBytes: number | undefined): Uploads {
  const [items, setItems] = useState<readonly UploadItem[]>([]);
  const running = useRef(new Map<number, AbortController>());
  const queue = useRef(Promise.resolve());
  const nextKey = useRef(0);

  const change = useCallback(
    (key: number, changes: Partial<UploadItem>) =>
      setItems((all) => all.map((one) => (one.key === key ? { ...one, ...changes } : one))),
    [],
  );

  const add = (files: readonly GivenFile[]) => {
    const target = files.length > 0 ? conversation() : undefined;
    for (const { path, file } of files) {
      const key = nextKey.current++;
      const { size } = file;
      const name = nameOf(path);
      if (maxBytes !== undefined && size > maxBytes) {
        const failure = texts.files.tooLarge(bytesInWords(size), bytesInWords(maxBytes));
        setItems((all) => [...all, { key, name, size, sent: 0, state: "failed", failure }]);
        continue;
      }
      setItems((all) => [...all, { key, name, size, sent: 0, state: "waiting" }]);
      const cancel = new AbortController();
      running.current.set(key, cancel);
      queue.current = queue.current.then(async () => {
        if (cancel.signal.aborted) return;
        change(key, { state: "sending" });
        try {
          const options = { signal: cancel.signal, onProgress: (sent: number) => change(key, { sent }) };
          const stored = await sendFile((await target) ?? "", { name, file }, options);
          change(key, { state: "stored", sent: size, stored });
        } catch (error) {
          if (!cancel.signal.aborted) change(key, { state: "failed", failure: (error as Error).message });
        } finally {
          running.current.delete(key);
        }
      });
    }
  };

  const remove = useCallback((key: number) => {
    running.current.get(key)?.abort();
    setItems((all) => all.filter((one) => one.key !== key));
  }, []);

  const stored = useRef(items);
  stored.current = items;
  const taken = useCallback(() => {
    const done = stored.current.flatMap(({ stored: one }) =>
      one ? [{ path: one.path, size: one.size }] : [],
    );
    setItems((all) => all.filter(({ state }) => state === "sending" || state === "waiting"));
    return done;
  }, []);

  const isSending = items.some(({ state }) => state === "sending" || state === "waiting");
  return { items, isSending, add, remove, taken };
}

/** The server keeps uploads in one folder, so that the folders of a path become part of the name. */
function nameOf(path: string): string {
  return path.split("/").filter(Boolean).join("--");
}
