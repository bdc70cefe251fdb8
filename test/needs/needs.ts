import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/bootstrap/root.mjs";
import { whyNoCluster } from "../../scripts/cluster/start-cluster.mjs";
import { missingForEngine } from "../../scripts/engines/missing-for-engine.mjs";
import { isOnPath } from "../../scripts/is-on-path.mjs";
import { missingForCeph } from "../../scripts/servers/missing-for-ceph.mjs";
import { postgresPrograms } from "../../scripts/servers/postgres-programs.mjs";
import { readOnlySystem } from "./read-only-system.js";

/** A directory that the build creates, relative to the root. */
export type Path = `${string}/${string}`;
export type Need = keyof typeof needs;

declare module "vitest" {
  interface TaskMeta {
    /** The metadata of the placeholder of an omitted suite: its missing needs. */
    missing?: readonly (Need | Path)[];
  }
}

export function isPath(need: Need | Path): need is Path {
  return need.includes("/");
}

/** What suites need besides git, Node and npm: how to detect it, and how to install it on Debian or do without. */
export const needs = {
  bubblewrap: { isMet: sandboxWorks, install: "apt-get install bubblewrap" },
  supervisor: { isMet: hasSupervisor, install: "Linux on x64 or arm64" },
  "redis-server": program("redis-server"),
  "a PostgreSQL server": {
    isMet: () => postgresPrograms() !== undefined,
    install: "apt-get install postgresql",
  },
  python3: {
    isMet: () => succeeds("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 8))"]),
    install: "apt-get install python3",
  },
  "pip or ensurepip": {
    isMet: () =>
      succeeds("/usr/bin/python3", [
        "-c",
        "import sys, importlib.util as u; sys.exit(not (u.find_spec('venv') and (u.find_spec('pip') or u.find_spec('ensurepip'))))",
      ]),
    install: "apt-get install python3-venv",
  },
  ruby: { isMet: () => succeeds("/usr/bin/gem", ["--version"]), install: "apt-get install ruby" },
  "npm of the system": {
    isMet: () => existsSync("/usr/bin/npm") || existsSync("/usr/local/bin/npm"),
    install: "apt-get install npm",
  },
  "a Kubernetes cluster": {
    isMet: () => whyNoCluster() === undefined,
    install: "SKILLWRIGHT_KUBERNETES=1 and KUBECONFIG",
  },
  "a Kubernetes cluster of the tests": {
    isMet: () => whyNoCluster() === undefined && process.env["SKILLWRIGHT_KUBERNETES"] !== "1",
    install: "the cluster of this machine, whose parts the tests may stop",
  },
  "a package index for pip and npm": { isMet: reachesIndexes, install: "a network" },
  Chromium: program("chromium"),
  LibreOffice: program("soffice", "libreoffice-writer-nogui"),
  "qemu-aarch64-static": program("qemu-aarch64-static", "qemu-user-static"),
  zip: program("zip"),
  unzip: program("unzip"),
  bsdtar: program("bsdtar", "libarchive-tools"),
  tmux: program("tmux"),
  openssl: program("openssl"),
  "git-http-backend": { isMet: hasGitServer, install: "apt-get install git" },
  "control groups of version 1": {
    isMet: () => hasGroups("memory", "pids", "cpu"),
    install: "sudo npm test, on such a host",
  },
  root: { isMet: () => process.getuid?.() === 0, install: "sudo npm test" },
  mounts: {
    isMet: () => succeeds("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"]),
    install: "sudo npm test, on a host that lets root mount",
  },
  "a Docker engine": engine("docker"),
  "a Docker engine over TCP": engine("tcp"),
  "a Podman engine": engine("podman"),
  "gVisor for Docker": {
    isMet: () => process.env["SKILLWRIGHT_RUNSC"] !== undefined && missingForEngine("docker") === undefined,
    install: "SKILLWRIGHT_RUNSC, the path of its program, or the cluster of this machine",
  },
  "an image registry": engine("registry"),
  "an SSH server": engine("ssh"),
  "an S3 server": { isMet: () => missingForCeph() === undefined, install: "node .ci/check-machine.mjs" },
} as const;

function program(name: string, aptPackage = name) {
  return { isMet: () => isOnPath(name), install: `apt-get install ${aptPackage}` };
}

function engine(name: string) {
  return { isMet: () => missingForEngine(name) === undefined, install: "node .ci/check-machine.mjs" };
}

/** Needs that no installation meets. A suite without them is never a failure. */
export const outsideTheMachine: readonly (Need | Path)[] = [
  "a package index for pip and npm",
  "a Kubernetes cluster",
  "a Kubernetes cluster of the tests",
  "gVisor for Docker",
];

/** Whether the indexes that pip and npm are configured with answer. */
function reachesIndexes(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "skillwright-index-"));
  try {
    const pip = ["-m", "pip", "download", "-q", "--no-deps", "-d", folder, "six==1.16.0", "idna==3.7"];
    return succeeds("/usr/bin/python3", pip) && succeeds("npm", ["view", "is-odd@3.0.1", "version"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether it exists and this user may use it. */
function sandboxWorks(): boolean {
  const options = [
    "--unshare-all",
    "--die-with-parent",
    ...readOnlySystem,
    "--proc",
    "/proc",
    "--dev",
    "/dev",
  ];
  return succeeds("bwrap", [...options, "/bin/true"]);
}

function hasGitServer(): boolean {
  const { stdout } = spawnSync("git", ["--exec-path"], { encoding: "utf8" });
  return existsSync(`${stdout.trim()}/git-http-backend`);
}

/** Whether the supervisor's package has a program for this machine. */
function hasSupervisor(): boolean {
  return existsSync(`${root}/packages/supervisor/bin/${process.platform}-${process.arch}/supervisor`);
}

/** Whether this user may create groups in hierarchies of version 1. */
function hasGroups(...controllers: readonly string[]): boolean {
  return controllers.every((controller) => {
    try {
      accessSync(`/sys/fs/cgroup/${controller}`, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function succeeds(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}
