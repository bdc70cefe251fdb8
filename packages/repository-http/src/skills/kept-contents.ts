import type { Diagnostic, Skill } from "@skillwright/core";
import type { FetchedFiles } from "../payload/fetched-files.js";
import type { InnerSkill } from "./found-skills.js";

/** Everything of one source. */
export interface SourceContent {
  readonly fetched: FetchedFiles;
  readonly skills: readonly InnerSkill<Skill>[];
  /** Those that are about no single skill. */
  readonly diagnostics: readonly Diagnostic[];
  /** Digest over all files together. */
  readonly digest: string;
}

/** The most recently used contents, up to that many bytes of files; the latest one in any case. */
export interface KeptContents {
  get(key: object): SourceContent | undefined;
  put(key: object, content: SourceContent): void;
  clear(): void;
}

export function keptContents(limit: number): KeptContents {
  const kept = new Map<object, { readonly content: SourceContent; readonly bytes: number }>();
  let total = 0;

  function drop(key: object): void {
    total -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  }

  return {
    get(key) {
      const found = kept.get(key);
      if (!found) return undefined;
      // The order of a Map is insertion order.
      kept.delete(key);
      kept.set(key, found);
      return found.content;
    },

    put(key, content) {
      drop(key);
      const bytes = [...content.fetched.files.values()].reduce((sum, file) => sum + file.bytes.byteLength, 0);
      kept.set(key, { content, bytes });
      total += bytes;
      for (const oldest of kept.keys()) {
        if (total <= limit || oldest === key) break;
        drop(oldest);
      }
    },

    clear() {
      kept.clear();
      total = 0;
    },
  };
}
