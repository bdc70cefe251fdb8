import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { quantile } from "../format/statistics.mjs";

const CONVERSATIONS = 100;
const COMMAND = "sleep 0.1";
const WAVES = 2;
const program = fileURLToPath(new URL("many-process.mjs", import.meta.url));

/**
 * All at once: the first turn of each conversation, with its workspace, and as many bare sandboxes after it. The server
 * has a process of its own, so that its time is not shared with its clients. It is new in the first wave.
 */
export async function measure() {
  const server = fork(program, [COMMAND]);
  await once(server, "message");
  const waves = [];
  let failed = 0;
  for (let wave = 0; wave < WAVES; wave++) {
    const turns = await conversations(server);
    const own = await Promise.all(
      turns.map((url) =>
        timed(async () => {
          if (!(await turn(url)).includes('"exitCode":0')) failed++;
        }),
      ),
    );
    const bare = await Promise.all(turns.map(() => timed(bareSandbox)));
    const [a, b] = [quantile(own, 0.95), quantile(bare, 0.95)];
    waves.push(`${(a / b).toFixed(2)} times (p95 ${a.toFixed(0)} ms, ${b.toFixed(0)} ms)`);
  }
  server.send({});
  await once(server, "exit");
  return `new process ${waves[0]}, then ${waves[1]}, ${failed} failed`;
}

/** Makes conversations and returns the addresses of their turns. */
async function conversations(server) {
  server.send({ conversations: CONVERSATIONS });
  const [{ turns }] = await once(server, "message");
  return /** @type {string[]} */ (turns);
}

const headers = { "x-user": "ada", "content-type": "application/json" };
const MESSAGE = JSON.stringify({ message: { parts: [{ type: "text", text: "Go" }] } });

/** Node's own client takes less of the cores than `fetch`. */
async function turn(url) {
  const asked = request(url, { method: "POST", headers, agent: false });
  asked.end(MESSAGE);
  const [answer] = await once(asked, "response");
  return await text(answer);
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function bareSandbox() {
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
}
