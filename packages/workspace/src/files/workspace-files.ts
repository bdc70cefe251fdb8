import {
  type ByteSource,
  type ByteStream,
  byteStream,
  type CallOptions,
  type RuntimeWorkspace,
  type WorkspaceFile,
} from "@skillwright/core";
import { WORKSPACE_LAYOUT } from "@skillwright/core/adapter";
import { listedMimeType } from "../collect/mime-type.js";
import { pathContext } from "../path/path-context.js";
import { workspacePath, writablePath } from "../path/workspace-path.js";
import { listIfThere } from "./list-if-there.js";

/** Lists regular files below the path, by default below `work/` and `out/`, sorted by path. */
export async function listFiles(
  workspace: RuntimeWorkspace,
  path: string | undefined,
  { signal }: CallOptions,
): Promise<readonly WorkspaceFile[]> {
  const written = path?.trim() ?? "";
  const entries = ["", ".", "/"].includes(written)
    ? [
        ...(await listIfThere(workspace, WORKSPACE_LAYOUT.out, { signal })),
        ...(await listIfThere(workspace, WORKSPACE_LAYOUT.work, { signal })),
      ]
    : await workspace.list(workspacePath(written, pathContext(workspace.root)), { signal });
  return entries
    .filter(({ kind }) => kind === "file")
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, size, modifiedMs }) => ({ path, size, mimeType: listedMimeType(path), modifiedMs }));
}

/** Streams the file. @throws SkillError `FILE_NOT_FOUND`, `PATH_OUTSIDE`, `PATH_INVALID`. */
export async function readFile(
  workspace: RuntimeWorkspace,
  path: string,
  { signal }: CallOptions,
): Promise<ByteStream> {
  return await workspace.get(workspacePath(path, pathContext(workspace.root)), { signal });
}

/** Writes one file below `work/` or `out/`. @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID`. */
export async function writeFile(
  workspace: RuntimeWorkspace,
  path: string,
  content: ByteSource,
  { signal, now }: CallOptions & { now: () => number },
): Promise<WorkspaceFile> {
  const target = writablePath(path, pathContext(workspace.root));
  let size = 0;
  async function* counted(): ByteStream {
    for await (const piece of byteStream(content)) {
      size += piece.byteLength;
      yield piece;
    }
  }
  await workspace.put([{ path: target, content: counted() }], { signal });
  return { path: target, size, mimeType: listedMimeType(target), modifiedMs: now() };
}
