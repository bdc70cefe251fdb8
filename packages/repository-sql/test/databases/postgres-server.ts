import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chown, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { Pool } from "pg";
import { freePorts } from "../../../../scripts/servers/ceph/free-ports.mjs";
import { postgresPrograms } from "../../../../scripts/servers/postgres-programs.mjs";
import { postgresDatabase, type SqlDatabase } from "../../src/index.js";
import type { SharedDatabase, Tap } from "./subjects.js";
import { tappedPool } from "./tapped-pool.js";

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

export interface PostgresServer {
  readonly url: string;
  /** Returns a pool that is closed with the server, if not before. */
  pool(url: string): Pool;
  /** Creates a schema without tables and returns its URL. */
  emptyPlace(): Promise<string>;
  fresh(): Promise<SharedDatabase>;
  /** Ends the server and its connections, and removes its data. */
  stop(): Promise<void>;
}

/** Starts Debian's PostgreSQL on a free port of loopback, with its data in a new temporary directory. */
export async function startPostgres(): Promise<PostgresServer> {
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
  const killNow = (): void => void child.kill("SIGQUIT");
  process.once("exit", killNow);
  const pools = new Set<Pool>();
  const url = `postgres://test@127.0.0.1:${port}/postgres`;
  const admin = pool(url);

  return { url, pool, emptyPlace, fresh, stop };

  async function started(): Promise<{ child: ChildProcess; port: number }> {
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

  function pool(connectionString: string): Pool {
    const made = new Pool({ connectionString, max: 5 });
    // Calls report failures; without a listener, an idle connection that breaks would end the process.
    made.on("error", () => undefined);
    pools.add(made);
    return made;
  }

  async function emptyPlace(): Promise<string> {
    const schema = `test_${randomUUID().replaceAll("-", "")}`;
    await admin.query(`CREATE SCHEMA ${schema}`);
    return `${url}?options=${encodeURIComponent(`-c search_path=${schema}`)}`;
  }

  async function fresh(): Promise<SharedDatabase> {
    const location = await emptyPlace();
    const own = [pool(location), pool(location), pool(location)] as const;
    const database = await postgresDatabase({ pool: own[0] });
    const other = await postgresDatabase({ pool: own[1] });

    async function tapped(tap: Tap): Promise<SqlDatabase> {
      const watched = tappedPool(own[2], tap);
      const made = await postgresDatabase({ pool: watched.pool });
      watched.begin();
      return made;
    }

    async function dispose(): Promise<void> {
      await Promise.all(own.map(end));
    }

    return { location, database, other, tapped, dispose };
  }

  async function end(made: Pool): Promise<void> {
    pools.delete(made);
    await made.end();
  }

  async function stop(): Promise<void> {
    await Promise.all([...pools].map(end));
    process.off("exit", killNow);
    const ended = once(child, "exit");
    child.kill("SIGINT");
    if (child.exitCode === null && child.signalCode === null) await ended;
    await rm(directory, { recursive: true, force: true });
  }
}

/** The temporary directory, unless only root may enter it. */
async function placeForData(): Promise<string> {
  if (NOBODY.uid === undefined) return tmpdir();
  for (let folder = resolve(tmpdir()); folder !== dirname(folder); folder = dirname(folder))
    if (((await stat(folder)).mode & 0o001) === 0) return "/tmp";
  return tmpdir();
}

/** False where another program has taken the port meanwhile. */
async function isReady(child: ChildProcess): Promise<boolean> {
  let output = "";
  return await new Promise<boolean>((resolve, reject) => {
    child.stderr?.on("data", (chunk: Buffer) => {
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
