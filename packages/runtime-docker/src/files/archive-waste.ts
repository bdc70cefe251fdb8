/** What passing over costs, and asking for a file by itself, as measured on one machine: only their ratio counts. */
const BYTES_A_MS = 200 * 1024;
const ENTRIES_A_MS = 6;
const MS_A_FILE = 50;
const MAX_WASTED_BYTES = 256 * 1024 * 1024;

/** Whether to read on in an archive for the sake of the files that are still to come. */
export interface ArchiveWaste {
  taken(): void;
  /** Told of an entry that is passed over, before its bytes are. */
  isTooMuch(bytes: number): boolean;
}

/** Never wastes much more than what it would have cost to ask for each file by itself. */
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
