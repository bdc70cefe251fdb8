import { spawn } from "node:child_process";
import { once } from "node:events";
import { freePorts } from "../../scripts/servers/ceph/free-ports.mjs";

/** Starts Debian's `redis-server` on a free port of loopback, without a copy on disk; it ends with this process. */
export async function startRedis(directory) {
  const [port] = await freePorts(1);
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

async function ready(child) {
  let told = "";
  await /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      child.stdout.on("data", (piece) => {
        told += piece;
        if (told.includes("Ready to accept connections")) resolve();
      });
      child.once("error", reject);
      child.once("exit", () => reject(new Error(`redis-server ended at its start:\n${told.slice(-1000)}`)));
    })
  );
}
