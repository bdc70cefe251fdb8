import { createHash } from "node:crypto";
import type { SkillArchive } from "@skillwright/archive";
import {
  byteStream,
  type ManifestFile,
  type ParseSkillResult,
  parseSkill,
  type SkillManifest,
  skillManifest,
} from "@skillwright/core";

export interface ArchiveContent {
  readonly manifest: SkillManifest;
  readonly parsed: ParseSkillResult;
}

/** Reads every file of the archive to its end. Returns the manifest and the parsed SKILL.md. */
export async function archiveContent(archive: SkillArchive): Promise<ArchiveContent> {
  const files: ManifestFile[] = [];
  const skillFile: Uint8Array[] = [];
  for await (const { path, content, executable = false } of archive.contents()) {
    const hash = createHash("sha256");
    let size = 0;
    for await (const piece of byteStream(content)) {
      hash.update(piece);
      size += piece.byteLength;
      // A stream may reuse its buffer.
      if (path === "SKILL.md") skillFile.push(piece.slice());
    }
    files.push({ path, size, executable, sha256: hash.digest("hex") });
  }
  const directoryName = archive.directoryName ?? "";
  return {
    manifest: skillManifest(files),
    parsed: parseSkill(Buffer.concat(skillFile), { directoryName }),
  };
}
