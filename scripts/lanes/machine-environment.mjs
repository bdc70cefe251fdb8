import { existsSync, realpathSync, statSync } from "node:fs";
import { arch, release } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { contentFingerprint, filesBelow } from "../bootstrap/fingerprint.mjs";
import { root } from "../bootstrap/root.mjs";
import { postgresPrograms } from "../servers/postgres-programs.mjs";

/** Programs that tests of any lane may start. */
const everywhere = [
  ...["sh", "bash", "git", "npm", "python3", "gem", "bwrap", "setpriv", "unshare", "mount", "ip"],
  ...["busybox", "bash-static", "tini-static", "openssl", "zip", "unzip", "bsdtar", "tmux", "soffice"],
  ...["redis-server", "redis-cli", "/usr/bin/python3", "/usr/bin/gem", "/usr/bin/npm", "/usr/bin/pip3"],
];
const byLane = {
  SKILLWRIGHT_PROGRAMS_OF_BROWSER: ["chromium"],
  SKILLWRIGHT_PROGRAMS_OF_STORES: ["ceph-mon", "ceph-osd", "radosgw", `${postgresPrograms()}/postgres`],
  SKILLWRIGHT_PROGRAMS_OF_ENGINES: [
    ...["dockerd", "docker", "containerd", "runc", "podman", "crun", "conmon", "docker-registry"],
    ...["sshd", "ssh", "iptables", "nft"],
  ],
  SKILLWRIGHT_PROGRAMS_OF_EMULATED: ["qemu-aarch64-static"],
};

/**
 * Environment variables with hashes of everything outside of the repository that tests depend on: the system, the user's rights, the
 * installed programs and the corpus of SKILLWRIGHT_SHARED. turbo.json names the variables that the tasks of each lane depend on. The
 * hash of a program changes with the size and the time of its file.
 *
 * @param {NodeJS.ProcessEnv} env whose PATH is searched
 * @returns {Record<string, string>}
 */
export function machineEnvironment(env) {
  const shared = env["SKILLWRIGHT_SHARED"] ?? join(root, "../shared");
  const corpus = `${shared}/corpus`;
  const facts = [process.version, arch(), release(), process.getuid?.() === 0];
  // They show whether pip is installed, and which version of control groups the system has.
  const places = [
    "/usr/lib/python3/dist-packages/pip",
    "/sys/fs/cgroup/cgroup.controllers",
    "/sys/fs/cgroup/memory",
  ];
  const programs = (/** @type {string[]} */ names) =>
    contentFingerprint(
      [],
      names.map((name) => programOf(name, env)),
    );
  return {
    SKILLWRIGHT_MACHINE: contentFingerprint(
      filesBelow(corpus),
      facts,
      places.map(existsSync),
      programs(everywhere),
    ),
    SKILLWRIGHT_PROGRAMS_OF_KUBERNETES: programs([
      ...["up", "prebuilt.tar.xz"].map((name) => `${shared}/services/kubernetes/${name}`),
      ...["kubectl", "runc", "iptables", "nft", "/usr/lib/cni/bridge"],
    ]),
    ...Object.fromEntries(Object.entries(byLane).map(([name, names]) => [name, programs(names)])),
  };
}

function programOf(/** @type {string} */ name, /** @type {NodeJS.ProcessEnv} */ env) {
  const paths = isAbsolute(name)
    ? [name]
    : (env.PATH ?? "").split(delimiter).map((folder) => join(folder, name));
  const path = paths.find((path) => existsSync(path));
  if (path === undefined) return `${name} is absent`;
  const { size, mtimeMs } = statSync(path);
  return [name, realpathSync(path), size, mtimeMs];
}
