import {
  type ByteSource,
  type ByteStream,
  byteStream,
  readBytes,
  type Skill,
  type UploadFile,
} from "@skillwright/core";
import { abortable, uploadedSkill, uploadRules } from "@skillwright/core/adapter";
import type { ArchiveWriter } from "../../archive-writer.js";
import type { HttpLimits } from "../../http-repository-options.js";
import type { FetchedFile } from "../../payload/fetched-files.js";
import { filesDigest } from "../../skills/found-skills.js";
import { readStored } from "./registry-answers.js";
import { markedSkill } from "./remote-skills.js";

/** An upload that was read and checked, with its digest and its archive. */
export interface AnnouncedUpload {
  readonly name: string;
  readonly digest: string;
  readonly bytes: Uint8Array;
  /** The stored skill for the registry's answer. @throws SkillError `DIGEST_MISMATCH` where it stored something else. */
  stored(answer: unknown): Skill;
}

/** @throws SkillError as `upload`; the error of a source that fails. */
export async function announcedUpload(
  uploaded: Iterable<UploadFile> | AsyncIterable<UploadFile>,
  {
    writeArchive,
    limits,
    signal,
  }: {
    readonly writeArchive: ArchiveWriter;
    readonly limits: HttpLimits;
    readonly signal: AbortSignal | undefined;
  },
): Promise<AnnouncedUpload> {
  const files = new Map<string, FetchedFile>();
  const rules = uploadRules(limits);
  for await (const { path, content, executable = false } of abortable(uploaded, signal)) {
    rules.admit(path);
    files.set(path, { bytes: await readBytes(counted(path, content), limits.bytes), executable });
  }
  const { name } = uploadedSkill(files.get("SKILL.md")?.bytes);
  const packed = [...files].map(([path, { bytes, executable }]) => ({ path, content: bytes, executable }));
  const bytes = await readBytes(writeArchive(packed, { format: "zip", layout: "bare" }), limits.archiveBytes);
  return {
    name,
    digest: filesDigest(files),
    bytes,
    stored(answer) {
      const { mark, diagnostics } = readStored(answer);
      return { ...markedSkill(mark, files), diagnostics };
    },
  };

  async function* counted(path: string, content: ByteSource): ByteStream {
    for await (const piece of abortable(byteStream(content), signal)) {
      rules.count(path, piece.byteLength);
      yield Uint8Array.from(piece);
    }
  }
}
