import { rename, unlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MAKING_PREFIX } from "./own-names.js";
import { newProcessMark } from "./process-mark.js";

interface ReplaceOptions {
  /** Where the text is written first: on the same file system. Defaults to the file's directory. */
  readonly beside?: string | undefined;
  /** Defaults to 0o666, reduced by the process's umask. */
  readonly mode?: number | undefined;
  /** The times of last access and change, in seconds since 1970. Default to now. */
  readonly time?: number | undefined;
}

/** Replaces a small file atomically, or creates it: readers see the former text or this one. @throws what the file system throws. */
export async function replaceFile(
  file: string,
  text: string,
  { beside = dirname(file), mode, time }: ReplaceOptions = {},
): Promise<void> {
  const begun = join(beside, MAKING_PREFIX + (await newProcessMark()));
  try {
    await writeFile(begun, text, { mode });
    if (time !== undefined) await utimes(begun, time, time);
    await rename(begun, file);
  } catch (error) {
    // The first failure is thrown.
    await unlink(begun).catch(() => undefined);
    throw error;
  }
}
