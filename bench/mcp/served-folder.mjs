import { fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { rawClient } from "./raw-client.mjs";

const program = fileURLToPath(new URL("serving-process.mjs", import.meta.url));

/**
 * Starts a process that serves the skills of a folder on a socket beside it.
 *
 * @param {string} folder
 * @param {string} [cache] the user's cache directory, with the headers that an earlier process read
 */
export async function servedFolder(folder, cache = `${folder}.cache`) {
  const socket = `${folder}.socket`;
  const child = fork(program, [folder, socket], { env: { ...process.env, XDG_CACHE_HOME: cache } });
  await once(child, "message");
  return {
    async client() {
      const stream = connect(socket);
      await once(stream, "connect");
      const client = rawClient({ input: stream, output: stream });
      return { ...client, close: () => stream.destroy() };
    },
    /** Bytes of memory now, and at most since the last call. @returns {Promise<{ bytes: number, peak: number }>} */
    async memory() {
      child.send("memory");
      const [told] = await once(child, "message");
      return told;
    },
    async close() {
      child.kill();
      await once(child, "exit");
      rmSync(socket);
    },
  };
}
