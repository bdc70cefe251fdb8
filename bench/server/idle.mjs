import { fork } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { fileURLToPath } from "node:url";

const STREAMS = 1000;
const program = fileURLToPath(new URL("idle-process.mjs", import.meta.url));

/** Memory of the server's process with open streams of one turn that waits, beside without them. */
export async function measure() {
  const child = fork(program, { execArgv: ["--expose-gc"] });
  const [{ address, path }] = await once(child, "message");
  const before = await memoryOf(child);
  const open = await Promise.all(Array.from({ length: STREAMS }, () => opened(`${address}${path}`)));
  const after = await memoryOf(child);
  for (const stream of open) stream.destroy();
  child.kill("SIGKILL");
  return `${((after - before) / STREAMS / 1024).toFixed(1)} KiB each of ${STREAMS}`;
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
