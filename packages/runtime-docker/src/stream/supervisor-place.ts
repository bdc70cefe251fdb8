import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { pack } from "tar-stream";

/** A directory of root that no command can change, outside the workspace's volume. */
export const OWN_PLACE = "/.skillwright";
/** The first process of the container. */
export const SUPERVISOR = `${OWN_PLACE}/supervisor`;
/** The records of runs, accessible to root only. */
export const RECORDS = `${OWN_PLACE}/runs`;
/** For processes of root. */
export const SOCKET = `${OWN_PLACE}/socket`;

/** The content of that directory, to be unpacked before the container starts. */
export async function supervisorArchive(program: string): Promise<Buffer> {
  const archive = pack();
  const name = SUPERVISOR.slice(OWN_PLACE.length + 1);
  archive.entry({ name, mode: 0o755, uid: 0, gid: 0 }, await readFile(program));
  archive.finalize();
  return await buffer(archive);
}
