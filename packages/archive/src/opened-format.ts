import type { ByteStream, Diagnostic } from "@skillwright/core";
import type { ArchiveEntry } from "@skillwright/core/adapter";
import type { TakenFile } from "./archive-intake.js";

/** The result of one format's reader. */
export interface OpenedFormat<Entry extends ArchiveEntry> {
  /** Diagnostics about the archive itself. */
  readonly diagnostics: readonly Diagnostic[];
  /** The content of each file, in order; each is read to its end, or left, before the next. */
  contents(files: readonly TakenFile<Entry>[]): AsyncIterable<{
    readonly file: TakenFile<Entry>;
    readonly content: ByteStream;
  }>;
}
