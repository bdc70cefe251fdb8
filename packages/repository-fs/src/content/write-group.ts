import { hash as digestOf } from "node:crypto";
import { join } from "node:path";
import { type ByteSource, type ManifestFile, SkillError } from "@skillwright/core";
import { checkAborted, untilAborted } from "@skillwright/core/adapter";
import { LARGE_BYTES, SourceFailure, writeContent } from "../files/write-content.js";
import { type WholeFile, writeWhole } from "../files/write-whole.js";

export interface GroupSource {
  readonly open: (path: string) => Promise<ByteSource>;
  readonly signal: AbortSignal;
  /** Called as soon as one file fails, so that the signal fires for all others. */
  readonly fail: () => void;
}

/** The mode until the file is complete. */
const FIRST_MODE = 0o600;

/**
 * Writes some files of a manifest and verifies every byte: small ones together in one call, because a skill may have
 * thousands, the others concurrently. It rejects with the first failure, after all writing has stopped.
 */
export async function writeGroup(
  directory: string,
  files: readonly ManifestFile[],
  { open, signal, fail }: GroupSource,
): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  const failed = (error: unknown): void => {
    failure ??= { error };
    fail();
  };
  const contents = await openedEach(files, open, signal).catch(failed);
  const targets = files.map((file, index) => ({
    file,
    path: join(directory, file.path),
    content: contents?.[index] ?? "",
  }));
  const streams = targets.filter(({ content }) => contents && !isSmall(content));
  const writing = streams.map(({ path, file, content }) => writeChecked(path, file, content, signal));
  const small = async () => {
    const whole = targets.flatMap(({ path, file, content }) =>
      isSmall(content) ? [checkedWhole(path, file, content)] : [],
    );
    if (whole.length > 0) await writeWhole(whole);
  };
  await Promise.all([small(), ...writing].map((work) => work.catch(failed)));
  if (failure) throw failure.error;
}

/** Opens all of them or none: after a failure, those already opened are closed. */
async function openedEach(
  files: readonly ManifestFile[],
  open: (path: string) => Promise<ByteSource>,
  signal: AbortSignal,
): Promise<readonly ByteSource[]> {
  checkAborted(signal);
  const opening = files.map(async ({ path }) => await open(path));
  try {
    return await untilAborted(Promise.all(opening), signal);
  } catch (error) {
    // The first failure is thrown.
    for (const each of opening) void each.then(close).catch(() => undefined);
    throw signal.aborted && SkillError.is(error, "ABORTED") ? error : new SourceFailure(error);
  }
}

async function close(content: ByteSource): Promise<void> {
  if (typeof content === "string" || content instanceof Uint8Array) return;
  await content[Symbol.asyncIterator]().return?.();
}

function isSmall(content: ByteSource): content is Uint8Array {
  return content instanceof Uint8Array && content.byteLength <= LARGE_BYTES;
}

function checkedWhole(
  target: string,
  { path, size, sha256, executable }: ManifestFile,
  bytes: Uint8Array,
): WholeFile {
  if (bytes.byteLength !== size || digestOf("sha256", bytes, "hex") !== sha256) throw mismatch(path);
  return { path: target, bytes, finalMode: finalMode(executable) };
}

async function writeChecked(
  target: string,
  { path, size, sha256, executable }: ManifestFile,
  content: ByteSource,
  signal: AbortSignal,
): Promise<void> {
  let left = size;
  const written = await writeContent(target, content, {
    signal,
    mode: FIRST_MODE,
    finalMode: finalMode(executable),
    onPiece: (bytes) => {
      left -= bytes;
      if (left < 0) throw mismatch(path);
    },
  });
  if (written.size !== size || written.sha256 !== sha256) throw mismatch(path);
}

/** The final permissions of a file in a tree. */
export function finalMode(executable: boolean): number {
  return executable ? 0o555 : 0o444;
}

function mismatch(path: string): SkillError {
  const message = `The content of "${path}" differs from the manifest. Load the skill again and repeat the call.`;
  return new SkillError("DIGEST_MISMATCH", message, { details: { path } });
}
