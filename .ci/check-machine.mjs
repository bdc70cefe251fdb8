/**
 * Installs the missing programs that the tests need from the operating system, then checks that they are there and work. With `usual`,
 * only those that `.ci/run` needs without `all`.
 */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { checks } from "../scripts/checks.mjs";
import { startDockerEngine } from "../scripts/engines/docker-engine.mjs";
import { startImageRegistry } from "../scripts/engines/image-registry.mjs";
import { startPodmanEngine } from "../scripts/engines/podman-engine.mjs";
import { startSshServer } from "../scripts/engines/ssh-server.mjs";
import { runCommand } from "../scripts/run-command.mjs";
import { startCephS3 } from "../scripts/servers/ceph-s3.mjs";

/** Debian's package for each command, and a call of the command that shows that it works here. */
const tools = [
  { name: "git", aptPackage: "git", tries: ["git", "--version"] },
  { name: "bash", aptPackage: "bash", tries: ["bash", "-c", "true"] },
  // The system's own, because a sandbox does not see one in a home directory.
  { name: "python3", aptPackage: "python3", tries: ["/usr/bin/python3", "-c", "import json, decimal"] },
  // A sandbox like those of the runtime: its own processes, its own network, the system read-only.
  {
    name: "bubblewrap",
    aptPackage: "bubblewrap",
    tries: [
      "bwrap",
      "--unshare-all",
      "--die-with-parent",
      "--ro-bind",
      "/",
      "/",
      "--proc",
      "/proc",
      "--dev",
      "/dev",
      "/bin/true",
    ],
  },
  // Private container engines, and the packages from which test images are built.
  { name: "dockerd", aptPackage: "docker.io", tries: ["dockerd", "--version"] },
  { name: "podman", form: "all", aptPackage: "podman", tries: ["podman", "--version"] },
  { name: "runc", aptPackage: "runc", tries: ["runc", "--version"] },
  // What a Kubernetes of this machine needs besides; its programs are built from Go modules.
  { name: "nft", aptPackage: "nftables", tries: ["nft", "--version"] },
  {
    name: "CNI plugins",
    aptPackage: "containernetworking-plugins",
    tries: ["test", "-x", "/usr/lib/cni/bridge"],
  },
  // A virtual machine with systemd.
  {
    name: "QEMU",
    form: "all",
    aptPackage: "qemu-system-x86",
    tries: ["qemu-system-x86_64", "--version"],
  },
  { name: "debootstrap", form: "all", aptPackage: "debootstrap", tries: ["debootstrap", "--version"] },
  { name: "mkfs.ext4", form: "all", aptPackage: "e2fsprogs", tries: ["mkfs.ext4", "-V"] },
  { name: "tini", aptPackage: "tini", tries: ["tini-static", "--version"] },
  { name: "docker-registry", aptPackage: "docker-registry", tries: ["docker-registry", "--version"] },
  // A terminal with a screen, to check the display.
  { name: "tmux", aptPackage: "tmux", tries: ["tmux", "-V"] },
  { name: "redis-server", aptPackage: "redis-server", tries: ["redis-server", "--version"] },
  // Its programs are not on the PATH.
  {
    name: "postgres",
    aptPackage: "postgresql",
    tries: ["sh", "-c", "$(ls -d /usr/lib/postgresql/*/bin/postgres | tail -n 1) --version"],
  },
  // An S3 server: a monitor, a storage daemon and the gateway of Ceph.
  { name: "ceph-mon", aptPackage: "ceph-mon", tries: ["ceph-mon", "--version"] },
  { name: "ceph-osd", aptPackage: "ceph-osd", tries: ["ceph-osd", "--version"] },
  { name: "radosgw", aptPackage: "radosgw", tries: ["radosgw", "--version"] },
  { name: "openssl", aptPackage: "openssl", tries: ["openssl", "version"] },
  // `sshd -?` fails, so the check looks for its name in the usage text.
  { name: "sshd", aptPackage: "openssh-server", tries: ["sh", "-c", "sshd -? 2>&1 | grep -q OpenSSH"] },
  { name: "ssh", aptPackage: "openssh-client", tries: ["ssh", "-V"] },
  { name: "ip", aptPackage: "iproute2", tries: ["ip", "-Version"] },
  { name: "bsdtar", aptPackage: "libarchive-tools", tries: ["bsdtar", "--version"] },
  // For the supervisor: its compiler is a Python package, and its tests run programs under its filter, also for arm64.
  { name: "venv", aptPackage: "python3-venv", tries: ["/usr/bin/python3", "-c", "import ensurepip, venv"] },
  { name: "ruby", aptPackage: "ruby", tries: ["/usr/bin/gem", "--version"] },
  { name: "qemu", aptPackage: "qemu-user-static", tries: ["qemu-aarch64-static", "--version"] },
  { name: "LibreOffice", aptPackage: "libreoffice-writer-nogui", tries: ["soffice", "--version"] },
  { name: "Chromium", aptPackage: "chromium", tries: ["chromium", "--version"] },
  { name: "setpriv", aptPackage: "util-linux", tries: ["setpriv", "--version"] },
  {
    name: "busybox",
    aptPackage: "busybox-static",
    tries: ["sh", "-c", "busybox true && ! ldd $(command -v busybox)"],
  },
  { name: "static bash", aptPackage: "bash-static", tries: ["bash-static", "-c", "true"] },
];

const [form = "all"] = process.argv.slice(2);
const isNeeded = (/** @type {{ form?: string }} */ part) => (part.form ?? form) === form;
const needed = tools.filter(isNeeded);
const absent = [];
for (const tool of needed) if (!(await works(tool))) absent.push(tool.aptPackage);
if (absent.length > 0) await installWithApt(absent);

const { check, close } = checks();
for (const { name, tries } of needed) {
  const [command = "", ...args] = tries;
  await check(`${name} is there and works`, () => runCommand(command, args));
}
for (const { name, start } of [
  { name: "a private Docker engine", start: () => startDockerEngine() },
  {
    name: "one in another network namespace",
    form: "all",
    start: () => startDockerEngine({ ownNetwork: true }),
  },
  { name: "a private Podman service", form: "all", start: startPodmanEngine },
  { name: "an image registry on loopback", start: startImageRegistry },
  { name: "an OpenSSH server on loopback", start: startSshServer },
  { name: "an S3 server on loopback", start: startCephS3 },
].filter(isNeeded)) {
  await check(`${name} starts and stops`, async () => (await start()).stop());
}
close();

function works({ tries: [command, ...args] }) {
  return runCommand(command, args).then(
    () => true,
    () => false,
  );
}

async function installWithApt(packages) {
  console.log(`Installing ${packages.join(", ")} with apt-get`);
  if (process.getuid?.() !== 0) {
    console.log(
      `This is not root, so nothing is installed. What to do: sudo apt-get install ${packages.join(" ")}`,
    );
    return;
  }
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const install = async () => {
    await runCommand("apt-get", ["update", "-q"], { env });
    await runCommand("apt-get", ["install", "-q", "-y", "--no-install-recommends", ...packages], { env });
  };
  const permitStarts = forbidStarts();
  // A mirror may be temporarily busy: try once more, then the checks report what is still missing.
  await install().catch(() => install().catch((error) => console.log(error.message)));
  permitStarts();
}

/** Installing engines starts them for the whole machine, which is unwanted. Returns a function that reverts this. */
function forbidStarts() {
  const policy = "/usr/sbin/policy-rc.d";
  if (existsSync(policy)) return () => {};
  writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  return () => rmSync(policy, { force: true });
}
