import { SKILL_LIMITS, type UploadFile } from "@skillwright/core";
import { abortable, type SkillRules, uploadRules } from "@skillwright/core/adapter";
import type { ContentWriter } from "../content/content-writer.js";
import type { StoredFile, StoredFiles } from "./file-set.js";

/** Stores the contents while they arrive; of their bytes, only those of SKILL.md are kept in memory. */
export async function collectUpload(
  files: Iterable<UploadFile> | AsyncIterable<UploadFile>,
  {
    writer,
    rules,
    signal,
  }: {
    readonly writer: ContentWriter;
    readonly rules: SkillRules;
    readonly signal: AbortSignal | undefined;
  },
): Promise<{ readonly files: StoredFiles; readonly skillFile: Uint8Array | undefined }> {
  const limits = uploadRules({ ...SKILL_LIMITS, files: rules.files, bytes: rules.bytes });
  const stored = new Map<string, StoredFile>();
  const pieces: Uint8Array[] = [];
  for await (const { path, content, executable = false } of abortable(files, signal)) {
    limits.admit(path);
    const written = await writer.write(content, { signal, admit: (piece) => admit(path, piece) });
    stored.set(path, { ...written, executable });
  }
  await writer.finish();
  return { files: stored, skillFile: stored.has("SKILL.md") ? Buffer.concat(pieces) : undefined };

  function admit(path: string, piece: Uint8Array): void {
    limits.count(path, piece.byteLength);
    if (path === "SKILL.md") pieces.push(Uint8Array.from(piece));
  }
}
