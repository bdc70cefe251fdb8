import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { makeCertificates } from "./certificates.mjs";
import { removeContainers } from "./containers.mjs";
import { endControlGroup, endWhatNames } from "./ending.mjs";
import { engineAnswers } from "./engine-answers.mjs";
import { keptProgram } from "./kept-program.mjs";
import { otherNetwork } from "./network.mjs";
import { until } from "./until.mjs";

/**
 * A Docker engine with its own socket, directories, control groups and containerd, separate from others on the machine; no
 * bridge and no packet filter rules.
 *
 * @param {string} folder
 * @param {{ liveRestore?: boolean, tcp?: boolean, tls?: boolean, ownNetwork?: boolean, runsc?: string }} options
 */
export async function keepDocker(
  folder,
  { liveRestore = false, tcp = false, tls = false, ownNetwork = false, runsc },
) {
  const group = `skillwright-${basename(folder)}`;
  const socket = `unix://${folder}/s`;
  const log = `${folder}/log`;
  mkdirSync(`${folder}/data`);
  mkdirSync(`${folder}/tmp`); // containerd leaves dumps there
  const env = { ...process.env, TMPDIR: `${folder}/tmp` };
  const config = {
    "live-restore": liveRestore,
    ...(runsc && { runtimes: { runsc: { path: runsc } }, "default-runtime": "runsc" }),
  };
  writeFileSync(`${folder}/config.json`, JSON.stringify(config));

  const dockerd = [
    ...["dockerd", "--config-file", `${folder}/config.json`, "--pidfile", `${folder}/pid`, "--group", "root"],
    ...["--data-root", `${folder}/data`, "--exec-root", `${folder}/exec`],
    ...["--exec-opt", "native.cgroupdriver=cgroupfs", "--cgroup-parent", `/${group}`],
    ...["--bridge", "none", "--iptables=false", "--ip6tables=false", "--ip-forward=false", "--ip-masq=false"],
    ...["--host", socket],
  ];
  const network = ownNetwork ? await otherNetwork(log) : undefined;
  let host = network ? `tcp://${network.address}:2375` : tcp || tls ? "tcp://127.0.0.1:0" : socket;
  const certificates = tls ? `${folder}/certificates` : undefined;
  if (certificates) makeCertificates(certificates, network?.address ?? "127.0.0.1");

  async function launch() {
    const listen = host === socket ? [] : ["--host", host, ...tlsFlags(certificates)];
    const program = keptProgram([...(network?.command ?? []), ...dockerd, ...listen], { log, env });
    try {
      await program.ready(() => engineAnswers(socket));
      if (host.endsWith(":0")) host = await listenedAt(log); // the same again after a restart
      if (!tls) await program.ready(() => engineAnswers(host));
      return program;
    } catch (error) {
      await program.end("SIGTERM", 5_000);
      throw error;
    }
  }
  let program = await launch();

  return {
    details: { host, socket, certificates: certificates && `${certificates}/client` },
    calls: {
      /** Ends only the engine; its containers are its own concern. */
      async kill(/** @type {NodeJS.Signals} */ signal) {
        const containerd = Number(readFileSync(`${folder}/exec/containerd/containerd.pid`, "utf8"));
        await program.end(signal, 15_000);
        // An engine that starts while the old containerd is still ending mistakes it for its own, and waits 15 s for it.
        await until(5_000, () => !existsSync(`/proc/${containerd}`));
      },
      /** Freezes or thaws it. Its threads may run on for a moment after the signal. */
      async hang(/** @type {boolean} */ hangs) {
        const pid = Number(program.pid());
        process.kill(pid, hangs ? "SIGSTOP" : "SIGCONT");
        if (hangs) await until(5_000, () => isStopped(pid));
      },
      async start() {
        if (!program.hasEnded()) return;
        program = await launch();
      },
    },
    async stop() {
      if (!program.hasEnded()) {
        process.kill(Number(program.pid()), "SIGCONT");
        await removeContainers(socket);
        await program.end("SIGTERM", 15_000);
      }
      await endControlGroup(group);
      await endWhatNames(folder);
      await endControlGroup(group);
      await network?.end();
    },
  };
}

function isStopped(/** @type {number} */ pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.every((id) => / T [^)]*$/.test(readFileSync(`/proc/${pid}/task/${id}/stat`, "utf8")));
}

/** With TLS switched off explicitly, the engine does not delay its start by 15 s for a warning. */
function tlsFlags(certificates) {
  if (!certificates) return ["--tls=false"];
  const place = `${certificates}/server`;
  const files = [
    "--tlscacert",
    `${place}/ca.pem`,
    "--tlscert",
    `${place}/cert.pem`,
    "--tlskey",
    `${place}/key.pem`,
  ];
  return ["--tlsverify", ...files];
}

/** The kernel chose the port. */
async function listenedAt(log) {
  const told = () => readFileSync(log, "utf8").match(/API listen on (127\.0\.0\.1:\d+)/)?.[1];
  if (!(await until(5_000, told))) throw new Error(`The engine does not tell its port in ${log}.`);
  return `tcp://${told()}`;
}
