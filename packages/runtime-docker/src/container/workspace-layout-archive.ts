import { posix } from "node:path";
import { buffer } from "node:stream/consumers";
import { PYTHON_FALLBACK, WORKSPACE_LAYOUT } from "@skillwright/core/adapter";
import { pack } from "tar-stream";
import { FIRST_REVISION_BYTES, REVISION_FILE } from "../staging/record-format.js";
import { FALLBACK, INCOMING, META, ROOT, VOLUME } from "./workspace-container.js";

const OPEN_MODE = 0o755;
/** Like /tmp, but not listable: only the owner of an entry can remove it. */
const PASSING_MODE = 0o1733;
const ROOT_ONLY_MODE = 0o700;

/**
 * The directories of a new workspace, to be unpacked in the volume. `META` comes last, so that its presence means that
 * all exist; it contains an empty record.
 */
export async function workspaceLayoutArchive(user: {
  readonly uid: number;
  readonly gid: number;
}): Promise<Buffer> {
  const { skills, work, inputs, out, runs } = WORKSPACE_LAYOUT;
  const archive = pack();
  const directory = (path: string, mode: number, owner = { uid: 0, gid: 0 }) =>
    archive.entry({ name: `${path.slice(VOLUME.length + 1)}/`, type: "directory", mode, ...owner });
  directory(ROOT, OPEN_MODE);
  directory(`${ROOT}/${skills}`, OPEN_MODE);
  for (const path of [work, inputs, out, runs]) directory(`${ROOT}/${path}`, OPEN_MODE, user);
  directory(INCOMING, PASSING_MODE);
  const executable = (path: string, content: Buffer | string) => {
    directory(posix.dirname(path), OPEN_MODE);
    archive.entry({ name: path.slice(VOLUME.length + 1), mode: OPEN_MODE, uid: 0, gid: 0 }, content);
  };
  executable(`${FALLBACK}/python`, PYTHON_FALLBACK);
  directory(META, ROOT_ONLY_MODE);
  const revision = `${META.slice(VOLUME.length + 1)}/${REVISION_FILE}`;
  archive.entry({ name: revision, mode: 0o600, uid: 0, gid: 0 }, Buffer.alloc(FIRST_REVISION_BYTES));
  archive.finalize();
  return await buffer(archive);
}
