import { useEffect, useState } from "react";
import { indexLines, type LineIndex } from "./line-index.js";

export function useLineIndex(bytes: Uint8Array, quotes: boolean): LineIndex | undefined {
  const [index, setIndex] = useState<LineIndex>();
  useEffect(() => {
    const ending = new AbortController();
    void indexLines(bytes, { quotes, signal: ending.signal, onLines: setIndex });
    return () => ending.abort();
  }, [bytes, quotes]);
  return index;
}
