import { fork } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { fileURLToPath } from "node:url";

const STREAMS = 1000;
/** They pay for what a process needs once, such as compiled code and the first pages of its heap. */
const EARLIER = 500;
const program = fileURLToPath(new URL("idle-process.mjs", import.meta.url));

/** Memory of the server's process with open streams of one turn that waits, beside with the earlier ones only. */
export async function measure() {
  const child = fork(program, { execArgv: ["--expose-gc"] });
  const [{ address, path }] = await once(child, "message");
  const several = (/** @type {number} */ length) =>
    Promise.all(Array.from({ length }, () => opened(`${address}${path}`)));
  const earlier = await several(EARLIER);
  const before = await memoryOf(child);
  const open = await several(STREAMS);
  const after = await memoryOf(child);
  for (const stream of [...earlier, ...open]) stream.destroy();
  child.kill();
  return `${((after - before) / STREAMS / 1024).toFixed(1)} KiB each of ${STREAMS}, after ${EARLIER}`;
}

async function memoryOf(child) {
  child.send("memory");
  const [{ bytes }] = await once(child, "message");
  return bytes;
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
