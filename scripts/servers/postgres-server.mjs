import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { freePorts } from "./ceph/free-ports.mjs";
import { postgresPrograms } from "./postgres-programs.mjs";

/** PostgreSQL refuses to run as root: it then gets the user and group `nobody`. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  fsync: "off",
  shared_buffers: "16MB",
  max_connections: "60",
  min_wal_size: "32MB",
  max_wal_size: "64MB",
};

/**
 * Starts Debian's PostgreSQL on a free port of loopback, with its data in a new temporary directory. The server is killed when
 * this process exits; `stop` ends it earlier and removes its data.
 */
export async function startPostgresServer() {
  const programs = postgresPrograms() ?? "";
  const directory = await mkdtemp(join(await placeForData(), "skillwright-postgres-"));
  if (NOBODY.uid !== undefined) await chown(directory, NOBODY.uid, NOBODY.gid);
  const data = join(directory, "data");
  const options = ["--auth=trust", "--no-sync", "--locale=C", "--encoding=UTF8", "--username=test"];
  await promisify(execFile)(join(programs, "initdb"), [...options, "-D", data], {
    ...NOBODY,
    cwd: directory,
  });
  const { child, port } = await started();
  const killNow = () => void child.kill("SIGQUIT");
  process.once("exit", killNow);
  return { url: `postgres://test@127.0.0.1:${port}/postgres`, stop };

  async function started() {
    for (;;) {
      const [port = 0] = await freePorts(1);
      const given = Object.entries({ ...SETTINGS, port }).flatMap(([name, value]) => [
        "-c",
        `${name}=${value}`,
      ]);
      const child = spawn(join(programs, "postgres"), ["-D", data, ...given], {
        ...NOBODY,
        cwd: directory,
        stdio: ["ignore", "ignore", "pipe"],
      });
      if (await isReady(child)) return { child, port };
    }
  }

  async function stop() {
    process.off("exit", killNow);
    const ended = once(child, "exit");
    child.kill("SIGINT");
    if (child.exitCode === null && child.signalCode === null) await ended;
    await rm(directory, { recursive: true, force: true });
  }
}

/** The temporary directory, unless only root may enter it. */
async function placeForData() {
  if (NOBODY.uid === undefined) return tmpdir();
  for (let folder = resolve(tmpdir()); folder !== dirname(folder); folder = dirname(folder))
    if (((await stat(folder)).mode & 0o001) === 0) return "/tmp";
  return tmpdir();
}

/** False where another program has taken the port meanwhile. */
async function isReady(/** @type {import("node:child_process").ChildProcess} */ child) {
  let output = "";
  return await new Promise((resolve, reject) => {
    child.stderr?.on("data", (chunk) => {
      output += chunk.toString();
      if (/ready to accept connections/.test(output)) resolve(true);
    });
    child.once("error", reject);
    child.once("close", () => {
      if (/could not bind/.test(output)) resolve(false);
      else reject(new Error(`postgres ended at its start:\n${output.slice(-2000)}`));
    });
  });
}
