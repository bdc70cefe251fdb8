/** Cost of skipping bytes, and of requesting a single file, as measured on one machine: only their ratio matters. */
const BYTES_A_MS = 200 * 1024;
const ENTRIES_A_MS = 6;
const MS_A_FILE = 50;
const MAX_WASTED_BYTES = 256 * 1024 * 1024;

/** Decides whether to read on in an archive for the remaining files. */
export interface ArchiveWaste {
  taken(): void;
  /** Call it for an entry that is skipped, before its bytes are read. */
  isTooMuch(bytes: number): boolean;
}

/** Never wastes much more than the cost of requesting each file separately. */
export function archiveWaste(wanted: number): ArchiveWaste {
  let left = wanted;
  let bytes = 0;
  let entries = 0;
  return {
    taken() {
      left -= 1;
    },
    isTooMuch(more) {
      bytes += more;
      entries += 1;
      return bytes > MAX_WASTED_BYTES || bytes / BYTES_A_MS + entries / ENTRIES_A_MS > left * MS_A_FILE;
    },
  };
}
