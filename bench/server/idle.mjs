import { fork } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { fileURLToPath } from "node:url";
import { overStores } from "./over-stores.mjs";

const STREAMS = 5000;
/** They pay for what a process needs once, such as compiled code and the first pages of its heap. */
const EARLIER = 500;
const program = fileURLToPath(new URL("idle-process.mjs", import.meta.url));

/**
 * Measures how much memory each open stream of a waiting turn adds to a server's process, and what share of a core the process takes
 * while nothing happens, with records in a folder and in SQLite. The first streams also pay for V8's young generation, which grows once
 * to some 50 MB while they are opened; the same number after them shows what a stream costs without it.
 */
export async function measure() {
  return await overStores(idle);
}

async function idle(/** @type {string} */ records) {
  const child = fork(program, [records], { execArgv: ["--expose-gc"] });
  const [{ address, path }] = await once(child, "message");
  const several = async (/** @type {number} */ length) => {
    const streams = [];
    for (let begun = 0; begun < length; begun += AT_ONCE)
      streams.push(
        ...(await Promise.all(Array.from({ length: AT_ONCE }, () => opened(`${address}${path}`)))),
      );
    return streams;
  };
  const earlier = await several(EARLIER);
  const before = await lookAt(child);
  const open = await several(STREAMS);
  const after = await lookAt(child);
  const more = await several(STREAMS);
  const atEnd = await lookAt(child);
  for (const stream of [...earlier, ...open, ...more]) stream.destroy();
  child.kill();
  const each = (from, to) => `${((to.bytes - from.bytes) / STREAMS / 1024).toFixed(1)} KiB each`;
  const share = `${(after.share * 100).toFixed(1)} % of a core`;
  return `${each(before, after)} of ${STREAMS} after ${EARLIER}, ${share}; ${each(after, atEnd)} of ${STREAMS} more`;
}

const AT_ONCE = 250;

async function lookAt(child) {
  child.send("memory");
  const [seen] = await once(child, "message");
  return seen;
}

function opened(url) {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: { "x-user": "ada" }, agent: false }, (response) => {
      response.once("data", () => resolve(response));
      response.on("error", () => undefined);
    });
    request.on("error", reject);
  });
}
