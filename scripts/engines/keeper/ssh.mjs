import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { userInfo } from "node:os";
import { keptProgram } from "./kept-program.mjs";

/**
 * OpenSSH's server on loopback at an unprivileged port, for clients with the one key it knows. Keys, settings and client
 * files are in the directory.
 *
 * @param {string} folder
 */
export async function keepSshServer(folder) {
  for (const name of ["host", "client"])
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "a test", "-f", `${folder}/${name}`]);
  const { username } = userInfo();
  writeFileSync(`${folder}/client.conf`, clientSettings(folder));
  execFileSync("mkdir", [`${folder}/bin`]);
  const ssh = execFileSync("sh", ["-c", "command -v ssh"], { encoding: "utf8" }).trim();
  writeFileSync(`${folder}/bin/ssh`, `#!/bin/sh\nexec ${ssh} -F ${folder}/client.conf "$@"\n`);
  chmodSync(`${folder}/bin/ssh`, 0o755);

  async function launch({ address, port }) {
    const program = keptProgram(serverCommand(`${folder}/server.conf`), { log: `${folder}/log-${port}` });
    await program.ready(() => listens(address, port));
    return program;
  }

  /** At another place where that one is taken. */
  async function launchAnywhere() {
    const place = randomPlace();
    const name = `[${place.address}]:${place.port}`;
    writeFileSync(`${folder}/server.conf`, serverSettings(folder, place, username));
    writeFileSync(`${folder}/known-hosts`, `${name} ${readFileSync(`${folder}/host.pub`, "utf8")}`);
    try {
      return { place, program: await launch(place) };
    } catch (error) {
      if (!isTaken(error)) throw error;
      return await launchAnywhere();
    }
  }
  const { place, program: first } = await launchAnywhere();
  let program = first;

  /** The server, not its waiting parent, which then notices its end. */
  async function kill() {
    if (!program.hasEnded()) killAll(childrenOf(program.pid()));
    await program.end("SIGTERM", 5_000);
  }

  return {
    details: { host: `ssh://${username}@${place.address}:${place.port}`, programs: `${folder}/bin`, folder },
    calls: {
      kill,
      async drop() {
        const sessions = childrenOf(program.pid()).flatMap(childrenOf);
        killAll(sessions.flatMap((pid) => [pid, ...childrenOf(pid)]));
      },
      async start() {
        if (program.hasEnded()) program = await launch(place);
      },
    },
    stop: kill,
  };
}

/**
 * As the first process of its own namespace it ends together with all of its sessions. The directory that it requires is
 * created where no other process sees it.
 */
function serverCommand(settings) {
  const start =
    'mount -t tmpfs none /run && mkdir -m 755 /run/sshd && exec "$(command -v sshd)" -D -e -f "$1"';
  const spaces = ["unshare", "--mount", "--pid", "--fork", "--kill-child=KILL", "--mount-proc"];
  // It would ignore any other signal when its parent ends.
  return ["setpriv", "--pdeathsig", "KILL", ...spaces, "sh", "-c", start, "sh", settings];
}

/**
 * The server does not support a port chosen by the kernel. No other program listens at this address, and the kernel chooses no
 * ports from this range, so that the place is still free when the server is restarted.
 */
function randomPlace() {
  const address = ["127", randomInt(1, 255), randomInt(1, 255), randomInt(1, 255)].join(".");
  return { address, port: randomInt(10_000, 32_000) };
}

function isTaken(error) {
  return error instanceof Error && error.message.includes("Address already in use");
}

function serverSettings(folder, { address, port }, username) {
  return `ListenAddress ${address}:${port}
HostKey ${folder}/host
PidFile none
AuthorizedKeysFile ${folder}/client.pub
# The folder is its owner's alone, but lies where everybody may write.
StrictModes no
UsePAM no
AllowUsers ${username}
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
AllowStreamLocalForwarding yes
`;
}

function clientSettings(folder) {
  return `IdentityFile ${folder}/client
IdentitiesOnly yes
UserKnownHostsFile ${folder}/known-hosts
GlobalKnownHostsFile none
StrictHostKeyChecking yes
`;
}

/** @returns {number[]} */
function childrenOf(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.split(" ").filter(Boolean).map(Number);
}

function killAll(pids) {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}

function listens(address, port) {
  return new Promise((resolve) => {
    const socket = connect(port, address);
    socket.once("error", () => resolve(false));
    // Its greeting, to make sure that it is this server.
    socket.once("data", (bytes) => {
      socket.destroy();
      resolve(bytes.toString("latin1").startsWith("SSH-"));
    });
  });
}
