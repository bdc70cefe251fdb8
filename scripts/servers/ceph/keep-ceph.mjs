import { execFile } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { promisify } from "node:util";
import { keptProgram } from "../../engines/keeper/kept-program.mjs";
import { cephSettings } from "./ceph-settings.mjs";
import { freePorts } from "./free-ports.mjs";

const run = promisify(execFile);

/**
 * The smallest Ceph that serves S3: a monitor, a storage daemon in memory, a gateway, and one user. Its programs cannot
 * take a port that the system chooses: others are tried where a port was taken meanwhile.
 *
 * @param {string} folder
 * @param {{ choosePorts?: typeof freePorts }} options
 */
export async function keepCeph(folder, { choosePorts = freePorts } = {}) {
  for (let attempt = 0; ; attempt++) {
    const place = `${folder}/${attempt}`;
    mkdirSync(place);
    try {
      return await startCeph(place, await choosePorts(2));
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
}

/** The gateway ends with the number of the error, and its last lines may be missing in its log. */
function isTaken(error) {
  const { EADDRINUSE } = constants.errno;
  return (
    error instanceof Error &&
    (error.message.includes("Address already in use") ||
      error.message.includes(`ended with exit code ${EADDRINUSE}\n`))
  );
}

/** @param {string} folder @param {readonly number[]} ports */
async function startCeph(folder, [monitorPort = 0, gatewayPort = 0]) {
  const endpoint = `http://127.0.0.1:${gatewayPort}`;
  const cluster = randomUUID();
  const settings = `${folder}/ceph.conf`;
  const monitors = `${folder}/monitors`;
  writeFileSync(settings, cephSettings({ folder, cluster, monitors, gatewayPort }));
  for (const directory of ["mon", "osd", "run"]) mkdirSync(`${folder}/${directory}`);

  const started = /** @type {ReturnType<typeof keptProgram>[]} */ ([]);
  const ending = new AbortController();
  /** Its data is not needed any more, so the daemons are killed without a shutdown. */
  const stop = () => {
    ending.abort();
    return Promise.all(started.map((program) => program.end("SIGKILL", 0)));
  };
  const launch = (/** @type {string[]} */ ...command) => {
    const program = keptProgram([...command, "-c", settings, "-f"], { log: `${folder}/${command[0]}.log` });
    started.push(program);
    return program;
  };
  const does = async (/** @type {string} */ command, /** @type {string[]} */ ...args) => {
    // It would wait for daemons that ended with the keeper.
    const argv = ["--pdeathsig", "KILL", command, "-c", settings, ...args];
    let isOver = false;
    const over = run("setpriv", argv, { timeout: 180_000, signal: ending.signal }).finally(() => {
      isOver = true;
    });
    // It would wait for a daemon that has ended, too.
    await Promise.race([over, ...started.map((program) => program.ready(() => isOver))]);
  };

  try {
    const storages = `${folder}/storages`;
    await does(
      "monmaptool",
      "--create",
      "--fsid",
      cluster,
      "--addv",
      "a",
      `v1:127.0.0.1:${monitorPort}`,
      monitors,
    );
    await does("osdmaptool", "--createsimple", "1", storages);
    await does("ceph-mon", "--mkfs", "-i", "a", "--monmap", monitors, "--osdmap", storages);
    launch("ceph-mon", "-i", "a");
    await does("ceph-osd", "-i", "0", "--mkfs", "--osd-uuid", randomUUID());
    launch("ceph-osd", "-i", "0");
    const gateway = launch("radosgw", "-n", "client.rgw");
    await gateway.ready(
      async () => started.some((program) => program.hasEnded()) || (await serves(endpoint)),
    );
    // Reports the one that has ended.
    for (const program of started) await program.ready(() => true);
    const accessKeyId = randomBytes(10).toString("hex").toUpperCase();
    const secretAccessKey = randomBytes(20).toString("hex");
    const keys = ["--access-key", accessKeyId, "--secret-key", secretAccessKey];
    await does("radosgw-admin", "user", "create", "--uid", "tests", "--display-name", "tests", ...keys);
    return {
      details: { endpoint, accessKeyId, secretAccessKey },
      calls: {},
      stop: async () => void (await stop()),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function serves(endpoint) {
  return fetch(endpoint, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}
