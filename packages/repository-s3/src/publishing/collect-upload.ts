import { hash } from "node:crypto";
import {
  type ByteSource,
  type ByteStream,
  byteStream,
  type ManifestFile,
  manifestDigest,
  type ParsedSkill,
  readBytes,
  SKILL_LIMITS,
  skillManifest,
  type UploadFile,
} from "@skillwright/core";
import { abortable, type SkillRules, uploadedSkill, uploadRules } from "@skillwright/core/adapter";

/**
 * An upload in memory, at most 16 MiB unless the repository sets another limit: the keys of its files are known only
 * when it is complete.
 */
export interface CollectedUpload {
  readonly skill: ParsedSkill;
  readonly digest: string;
  /** Sorted as in a manifest. */
  readonly files: readonly ManifestFile[];
  /** Contents by SHA-256. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  readonly skillFile: Uint8Array;
}

/** @throws SkillError as `upload`; also whatever the source throws, unchanged. */
export async function collectUpload(
  files: Iterable<UploadFile> | AsyncIterable<UploadFile>,
  { rules: { files: most, bytes: room }, signal }: { rules: SkillRules; signal: AbortSignal | undefined },
): Promise<CollectedUpload> {
  const rules = uploadRules({ ...SKILL_LIMITS, files: most, bytes: room });
  const collected: ManifestFile[] = [];
  const contents = new Map<string, Uint8Array>();
  let skillFile: Uint8Array | undefined;
  for await (const { path, content, executable = false } of abortable(files, signal)) {
    rules.admit(path);
    const bytes = await readBytes(counted(path, content), room);
    const sha256 = hash("sha256", bytes, "hex");
    collected.push({ path, size: bytes.byteLength, executable, sha256 });
    contents.set(sha256, bytes);
    if (path === "SKILL.md") skillFile = bytes;
  }
  const skill = uploadedSkill(skillFile);
  const manifest = skillManifest(collected);
  return {
    ...{ skill, contents },
    files: manifest.files,
    digest: manifestDigest(manifest),
    skillFile: skillFile ?? new Uint8Array(),
  };

  async function* counted(path: string, content: ByteSource): ByteStream {
    for await (const piece of abortable(byteStream(content), signal)) {
      rules.count(path, piece.byteLength);
      // Copied, because the caller may overwrite its buffer.
      yield Uint8Array.from(piece);
    }
  }
}
