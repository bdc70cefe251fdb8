import { spawn } from "node:child_process";
import { once } from "node:events";
import { quantile } from "../format/statistics.mjs";
import { benchServer } from "./bench-server.mjs";

const CONVERSATIONS = 100;
const COMMAND = "sleep 0.1";

/** All at once: the first turn of each conversation, with its workspace, beside as many bare sandboxes. */
export async function measure() {
  const server = await benchServer([{ command: COMMAND }, { text: "Done." }]);
  await server.runtime.capabilities();
  const ids = await Promise.all(Array.from({ length: CONVERSATIONS }, () => server.conversation()));
  let failed = 0;
  const own = await Promise.all(
    ids.map(async (id) => {
      const started = performance.now();
      const text = await (await server.say(id)).text();
      if (!text.includes('"exitCode":0')) failed++;
      return performance.now() - started;
    }),
  );
  await server.close();
  const bare = await Promise.all(Array.from({ length: CONVERSATIONS }, () => bareSandbox()));
  const [a, b] = [quantile(own, 0.95), quantile(bare, 0.95)];
  return `${(a / b).toFixed(2)} times (p95 ${a.toFixed(0)} ms, ${b.toFixed(0)} ms), ${failed} failed`;
}

async function bareSandbox() {
  const started = performance.now();
  const argv = [
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--unshare-all",
    "--die-with-parent",
  ];
  await once(spawn("bwrap", [...argv, "bash", "-c", COMMAND], { stdio: "ignore" }), "close");
  return performance.now() - started;
}
