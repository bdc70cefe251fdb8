import { isOnPath } from "../is-on-path.mjs";

/** The programs that a private engine or registry needs, each with its Debian package. */
const needs = new Map([
  [
    "docker",
    [
      ["dockerd", "docker.io"],
      ["openssl", "openssl"],
    ],
  ],
  [
    "tcp",
    [
      ["dockerd", "docker.io"],
      ["ip", "iproute2"],
      ["nsenter", "util-linux"],
    ],
  ],
  [
    "podman",
    [
      ["podman", "podman"],
      ["conmon", "conmon"],
      ["runc", "runc"],
      ["tini-static", "tini"],
    ],
  ],
  [
    "registry",
    [
      ["docker-registry", "docker-registry"],
      ["perl", "perl-base"],
    ],
  ],
  [
    "ssh",
    [
      ["sshd", "openssh-server"],
      ["ssh", "openssh-client"],
      ["unshare", "util-linux"],
    ],
  ],
]);
const always = [
  ["setpriv", "util-linux"],
  ["busybox", "busybox-static"],
  ["bash-static", "bash-static"],
];

/**
 * Why an engine cannot be started here, with the remedy; undefined if nothing is missing.
 *
 * @param {string} engine `docker`, `tcp`, `podman`, `registry` or `ssh`
 */
export function missingForEngine(engine) {
  if (process.platform !== "linux") return "a private engine runs on Linux only";
  const missing = [...(needs.get(engine) ?? []), ...always].filter(([program = ""]) => !isOnPath(program));
  if (missing.length > 0) {
    const programs = missing.map(([program]) => program).join(", ");
    return `${programs} not found; what to do: apt-get install ${missing.map(([, name]) => name).join(" ")}`;
  }
  return process.getuid?.() === 0 ? undefined : "a private engine is started by root only";
}
