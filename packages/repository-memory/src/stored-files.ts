import {
  type ByteSource,
  type ByteStream,
  byteStream,
  readBytes,
  SKILL_LIMITS,
  type UploadFile,
} from "@skillwright/core";
import { abortable, type SkillRules, uploadRules } from "@skillwright/core/adapter";

/** A file of a skill: text, bytes, or either with the executable bit. */
export type MemoryFile =
  | string
  | Uint8Array
  | { readonly content: string | Uint8Array; readonly executable?: boolean };

/** The files of a skill by path. */
export type MemorySkill = Readonly<Record<string, MemoryFile>>;

interface StoredFile {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/** By path. */
export type StoredFiles = ReadonlyMap<string, StoredFile>;

/** Converts files given in code to their stored form. */
export function storedFiles(skill: MemorySkill): StoredFiles {
  return new Map(
    Object.entries(skill).map(([path, file]) => {
      const { content, executable = false } =
        typeof file === "string" || file instanceof Uint8Array ? { content: file } : file;
      return [path, { bytes: Uint8Array.from(Buffer.from(content)), executable }];
    }),
  );
}

/** Reads the whole upload, so that it can then be stored atomically. @throws SkillError as `upload`. */
export async function uploadedFiles(
  files: Iterable<UploadFile> | AsyncIterable<UploadFile>,
  { rules: { files: most, bytes: room }, signal }: { rules: SkillRules; signal: AbortSignal | undefined },
): Promise<StoredFiles> {
  const rules = uploadRules({ ...SKILL_LIMITS, files: most, bytes: room });
  const stored = new Map<string, StoredFile>();
  for await (const { path, content, executable = false } of abortable(files, signal)) {
    rules.admit(path);
    stored.set(path, { bytes: await readBytes(counted(path, content), room), executable });
  }
  return stored;

  async function* counted(path: string, content: ByteSource): ByteStream {
    for await (const piece of abortable(byteStream(content), signal)) {
      rules.count(path, piece.byteLength);
      yield Uint8Array.from(piece);
    }
  }
}
