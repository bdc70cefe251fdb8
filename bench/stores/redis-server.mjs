import { spawn } from "node:child_process";
import { once } from "node:events";
import { freePorts } from "../../scripts/servers/ceph/free-ports.mjs";

/** Starts Debian's `redis-server` on a free port of loopback, without a copy on disk; it ends with this process. */
export async function startRedis(directory) {
  // It cannot take a port that the system chooses.
  for (;;) {
    const [port = 0] = await freePorts(1);
    const server = await startAt(port, directory).catch(isTaken);
    if (server) return server;
  }
}

async function startAt(port, directory) {
  const place = ["--bind", "127.0.0.1", "--port", String(port), "--dir", directory];
  const child = spawn("redis-server", [...place, "--save", "", "--appendonly", "no"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const killNow = () => child.kill("SIGKILL");
  process.once("exit", killNow);
  await ready(child);
  child.stdout.resume();

  async function stop() {
    process.off("exit", killNow);
    const ended = once(child, "exit");
    killNow();
    await ended;
  }
  return { port, stop };
}

/** Nothing where another program has taken the port meanwhile. */
function isTaken(error) {
  if (!/Address already in use/.test(error.message)) throw error;
}

async function ready(child) {
  let told = "";
  await /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      child.stdout.on("data", (piece) => {
        told += piece;
        if (told.includes("Ready to accept connections")) resolve();
      });
      child.once("error", reject);
      child.once("close", () => reject(new Error(`redis-server ended at its start:\n${told.slice(-1000)}`)));
    })
  );
}
