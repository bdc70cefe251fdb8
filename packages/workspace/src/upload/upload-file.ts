import { createHash } from "node:crypto";
import {
  type ByteSource,
  type ByteStream,
  type CallOptions,
  type RuntimeWorkspace,
  SkillError,
  type UploadedFile,
} from "@skillwright/core";
import { type FileStat, WORKSPACE_LAYOUT } from "@skillwright/core/adapter";
import { listedMimeType } from "../collect/mime-type.js";
import { listIfThere } from "../files/list-if-there.js";
import { numberedName, safeFileName } from "./safe-file-name.js";
import { type Spooled, spool } from "./spool.js";

const MAX_SAME_NAMES = 1000;

/**
 * Stores a file in `work/inputs/` under its safe base name, or the next free numbered one. If the same bytes already
 * exist under one of these names, they are not written again. Call it for one file at a time per workspace.
 * @throws SkillError `LIMIT_EXCEEDED` after 1,000 files of one name.
 */
export async function uploadFile(
  workspace: RuntimeWorkspace,
  name: string,
  content: ByteSource,
  { signal, now }: CallOptions & { now: () => number },
): Promise<UploadedFile> {
  await using spooled = await spool(content, signal);
  const there = await inputsByName(workspace, signal);
  const safeName = safeFileName(name);
  for (let number = 1; number <= MAX_SAME_NAMES; number++) {
    const candidate = numberedName(safeName, number);
    const path = `${WORKSPACE_LAYOUT.inputs}/${candidate}`;
    const existing = there.get(candidate);
    if (!existing) {
      await workspace.put([{ path, content: spooled.open() }], { signal });
      return uploaded(candidate, path, spooled.size, now(), true);
    }
    if (await holdsSameBytes(workspace, existing, spooled, signal))
      return uploaded(candidate, path, existing.size, existing.modifiedMs, false);
  }
  throw new SkillError(
    "LIMIT_EXCEEDED",
    `There are already ${MAX_SAME_NAMES} different files named like "${safeName}". Give the file another name.`,
  );
}

async function inputsByName(
  workspace: RuntimeWorkspace,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, FileStat>> {
  const prefix = `${WORKSPACE_LAYOUT.inputs}/`;
  const entries = await listIfThere(workspace, WORKSPACE_LAYOUT.inputs, { signal });
  return new Map(entries.map((entry) => [entry.path.slice(prefix.length), entry]));
}

async function holdsSameBytes(
  workspace: RuntimeWorkspace,
  existing: FileStat,
  spooled: Spooled,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (existing.kind !== "file" || existing.size !== spooled.size) return false;
  return (await sha256Of(await workspace.get(existing.path, { signal }))) === spooled.sha256;
}

async function sha256Of(stream: ByteStream): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of stream) hash.update(piece);
  return hash.digest("hex");
}

function uploaded(
  name: string,
  path: string,
  size: number,
  modifiedMs: number,
  changed: boolean,
): UploadedFile {
  return { path, skillPath: `inputs/${name}`, size, mimeType: listedMimeType(name), modifiedMs, changed };
}
