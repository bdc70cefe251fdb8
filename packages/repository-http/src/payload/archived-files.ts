import { readBytes } from "@skillwright/core";
import { type UploadLimits, uploadRules } from "@skillwright/core/adapter";
import type { OpenedArchive } from "../archive-opener.js";
import type { FetchedFile } from "./fetched-files.js";

/** The files of an opened archive by path, within the limits. The opener may be third-party code, so they are counted. */
export async function archivedFiles(
  archive: OpenedArchive,
  limits: UploadLimits,
): Promise<ReadonlyMap<string, FetchedFile>> {
  const files = new Map<string, FetchedFile>();
  const rules = uploadRules(limits);
  for await (const { path, content, executable = false } of archive.contents()) {
    rules.admit(path);
    const unpacked = Uint8Array.from(await readBytes(content, limits.bytes));
    rules.count(path, unpacked.byteLength);
    files.set(path, { bytes: unpacked, executable });
  }
  return files;
}
