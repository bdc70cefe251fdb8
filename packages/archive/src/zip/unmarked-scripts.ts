import { constants, inflateRawSync } from "node:zlib";
import type { Diagnostic } from "@skillwright/core";
import { shown } from "../damaged.js";
import type { ZipEntry } from "./zip-entry.js";

/** Enough for the head of a deflate block and the first bytes of the file. */
const HEAD_BYTES = 400;

/** Reports scripts of a zip without Unix modes, which no unpacker can make executable. */
export function unmarkedScripts(bytes: Buffer, entries: readonly ZipEntry[]): readonly Diagnostic[] {
  const scripts = entries.filter((entry) => entry.mode === 0 && isScript(bytes, entry));
  const [first] = scripts;
  if (!first) return [];
  const what = scripts.length === 1 ? "one script" : `${scripts.length} scripts, first of all`;
  return [
    {
      code: "archive.no-modes",
      severity: "info",
      message: `The zip has no Unix mode for ${what} ${shown(first.name)}, so it cannot be executed by its path.`,
      hint: "Run it with its interpreter, such as `sh scripts/run.sh`, or pack it again on a system with Unix modes.",
      path: first.name,
    },
  ];
}

function isScript(bytes: Buffer, { dataStart, packedSize, compressed }: ZipEntry): boolean {
  const head = bytes.subarray(dataStart, dataStart + Math.min(packedSize, HEAD_BYTES));
  try {
    const text = compressed ? inflateRawSync(head, { finishFlush: constants.Z_SYNC_FLUSH }) : head;
    return text.subarray(0, 2).toString("latin1") === "#!";
  } catch {
    // Broken data is reported where the file is read.
    return false;
  }
}
