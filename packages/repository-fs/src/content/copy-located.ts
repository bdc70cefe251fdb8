import { sep } from "node:path";
import { checkAborted, type ManifestFile, type SkillReader, untilAborted } from "@skillwright/core";
import { readNow, SMALL_BYTES } from "../files/read-unchanged.js";
import { type FileCall, fileStep, runSteps, type Steps } from "../files/steps.js";
import { writeFileNow } from "../files/write-whole.js";
import { finalMode } from "./write-group.js";

const FILES_AT_ONCE = 16;
/** As the pace counts them where files are read and written one after the other. */
const CALLS_A_FILE = 2;

/**
 * Copies the small files of a manifest that the reader can tell the place of, and checks every byte between reading and
 * writing. Gives the files that are left: large ones, what is not there as the manifest has it, and where the disk is slow
 * all that would have to wait for it.
 */
export async function copyLocated(
  directory: string,
  files: readonly ManifestFile[],
  open: SkillReader,
  signal: AbortSignal,
): Promise<readonly ManifestFile[]> {
  if (!open.locations) return files;
  // What is wrong with the skill is told by whoever opens a file of it.
  const asked = open.locations().catch(() => new Map<string, string>());
  const locations = await untilAborted(asked, signal);
  if (locations.size === 0) return files;
  return await runSteps(copySteps(files, copyCall(directory, locations), signal));
}

type CopyCall = FileCall<readonly ManifestFile[], readonly ManifestFile[]>;

function* copySteps(
  files: readonly ManifestFile[],
  copy: CopyCall,
  signal: AbortSignal,
): Steps<readonly ManifestFile[]> {
  const left: ManifestFile[] = [];
  for (let from = 0; from < files.length; from += FILES_AT_ONCE) {
    checkAborted(signal);
    const some = files.slice(from, from + FILES_AT_ONCE);
    left.push(...((yield fileStep(copy, some, some.length * CALLS_A_FILE)) as readonly ManifestFile[]));
  }
  return left;
}

/** All of it in one loop over one buffer: a promise and a buffer for each file take as long as the system does. */
function copyCall(directory: string, locations: ReadonlyMap<string, string>): CopyCall {
  const room = new Uint8Array(SMALL_BYTES + 1);
  const isCopied = (unmasked: Set<number>, file: ManifestFile): boolean => {
    const { path, size, sha256, executable } = file;
    const location = locations.get(path);
    if (location === undefined || size > SMALL_BYTES) return false;
    const bytes = readNow({ location, size, same: { sha256 } }, room.subarray(0, size + 1));
    if (!bytes) return false;
    writeFileNow({ path: directory + sep + path, bytes, finalMode: finalMode(executable) }, unmasked);
    return true;
  };
  const leftOf: CopyCall["now"] = (some) => {
    // Only within one call: until the next, anybody may have set another mask.
    const unmasked = new Set<number>();
    return some.filter((file) => !isCopied(unmasked, file));
  };
  return { now: leftOf, later: async (some) => some };
}
