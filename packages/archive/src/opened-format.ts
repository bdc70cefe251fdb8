import type { ArchiveEntry, ByteStream, Diagnostic } from "@skillwright/core";
import type { TakenFile } from "./archive-intake.js";

/** What the reader of one format makes of an archive. */
export interface OpenedFormat<Entry extends ArchiveEntry> {
  /** About the archive itself. */
  readonly diagnostics: readonly Diagnostic[];
  /** The content of each file, in their order; each is read to its end, or left, before the next. */
  contents(files: readonly TakenFile<Entry>[]): AsyncIterable<{
    readonly file: TakenFile<Entry>;
    readonly content: ByteStream;
  }>;
}
