import { mkdirSync, writeFileSync } from "node:fs";
import { removeContainers } from "./containers.mjs";
import { endWhatNames } from "./ending.mjs";
import { engineAnswers } from "./engine-answers.mjs";
import { keptProgram } from "./kept-program.mjs";

/**
 * Podman's Docker-compatible service, with its own storage, locks and settings.
 *
 * @param {string} folder
 */
export async function keepPodman(folder) {
  const host = `unix://${folder}/s`;
  for (const directory of ["images", "run", "tmp", "volumes", "networks", "no-packages"])
    mkdirSync(`${folder}/${directory}`);
  for (const [file, text] of settings(folder)) writeFileSync(`${folder}/${file}`, text);

  const program = keptProgram(
    ["tini-static", "-s", "--", "podman", "system", "service", "--time", "0", host],
    {
      log: `${folder}/log`,
      env: {
        PATH: process.env["PATH"],
        HOME: folder,
        TMPDIR: `${folder}/tmp`,
        CONTAINERS_CONF: `${folder}/containers.conf`,
        CONTAINERS_STORAGE_CONF: `${folder}/storage.conf`,
        CONTAINERS_REGISTRIES_CONF: `${folder}/registries.conf`,
        // For its version, it searches conmon and the runtime among all packages of the machine, each time.
        DPKG_ADMINDIR: `${folder}/no-packages`,
      },
    },
  );
  try {
    await program.ready(() => engineAnswers(host));
  } catch (error) {
    await program.end("SIGTERM", 5_000);
    throw error;
  }

  return {
    details: { host },
    calls: {},
    async stop() {
      await removeContainers(host);
      await program.end("SIGTERM", 5_000);
      await endWhatNames(folder);
    },
  };
}

/**
 * runc and tini, since crun fails with control groups of both versions and catatonit may be absent; limits that
 * any machine can give; registries on loopback without TLS.
 */
function settings(folder) {
  return new Map([
    [
      "containers.conf",
      `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
log_driver = "none"
netns = "none"
[engine]
runtime = "runc"
init_path = "/usr/bin/tini-static"
cgroup_manager = "cgroupfs"
events_logger = "file"
lock_type = "file"
static_dir = "${folder}/images/libpod"
tmp_dir = "${folder}/tmp/libpod"
volume_path = "${folder}/volumes"
[network]
network_config_dir = "${folder}/networks"
`,
    ],
    [
      "storage.conf",
      `[storage]
driver = "overlay"
graphroot = "${folder}/images"
runroot = "${folder}/run"
`,
    ],
    ["registries.conf", `[[registry]]\nprefix = "127.0.0.1"\nlocation = "127.0.0.1"\ninsecure = true\n`],
  ]);
}
