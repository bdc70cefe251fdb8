import { execFile, spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { freePorts } from "../../scripts/servers/ceph/free-ports.mjs";
import { postgresPrograms } from "../../scripts/servers/postgres-programs.mjs";

const run = promisify(execFile);
/** PostgreSQL refuses to run as root: it then gets the user and group `nobody`. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** Starts Debian's PostgreSQL on a free port of loopback, with its data below the folder; it ends with this process. */
export async function startPostgres(/** @type {string} */ folder) {
  const programs = postgresPrograms() ?? "";
  const directory = mkdtempSync(join(folder, "postgres-"));
  if (NOBODY.uid !== undefined) chownSync(directory, NOBODY.uid, NOBODY.gid);
  const own = { ...NOBODY, cwd: directory };
  const data = join(directory, "data");
  const options = ["--auth=trust", "--no-sync", "--locale=C", "--encoding=UTF8", "--username=test"];
  await run(join(programs, "initdb"), [...options, "-D", data], own);
  const { child, port } = await started({ programs, data, own });
  const killNow = () => child.kill("SIGQUIT");
  process.once("exit", killNow);
  const url = `postgres://test@127.0.0.1:${port}/postgres`;

  async function stop() {
    process.off("exit", killNow);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    killNow();
    await ended;
    rmSync(directory, { recursive: true, force: true });
  }

  return { url, stop };
}

/** It cannot take a port that the system chooses, and is started again where another program took its port meanwhile. */
async function started({ programs, data, own }) {
  for (;;) {
    const [port = 0] = await freePorts(1);
    const settings = [`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"];
    const given = settings.flatMap((setting) => ["-c", setting]);
    const child = spawn(join(programs, "postgres"), ["-D", data, ...given], { ...own, stdio: "ignore" });
    const address = ["-h", "127.0.0.1", "-p", String(port), "-U", "test"];
    const isReady = () => run(join(programs, "pg_isready"), address).then(Boolean, () => false);
    while (child.exitCode === null && !(await isReady())) await setTimeout(50);
    if (child.exitCode === null) return { child, port };
  }
}
