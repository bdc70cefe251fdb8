import { buffer } from "node:stream/consumers";
import { WORKSPACE_LAYOUT } from "@skillwright/core";
import { pack } from "tar-stream";
import { INCOMING, META, ROOT, VOLUME } from "./workspace-container.js";

const OPEN_MODE = 0o755;
/** As of /tmp, but that nobody can look: who put something there can take it away, and nobody else. */
const PASSING_MODE = 0o1733;
const ROOT_ONLY_MODE = 0o700;

/** The directories of a new workspace, to be unpacked in the volume. `META` comes last, so where it is all of them are. */
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
  directory(META, ROOT_ONLY_MODE);
  archive.finalize();
  return await buffer(archive);
}
