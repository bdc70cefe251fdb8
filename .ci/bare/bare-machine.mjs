import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { cacheHome, root } from "../../scripts/bootstrap/root.mjs";
import { runCommand } from "../../scripts/run-command.mjs";
import { addedPrograms, programFolders } from "./added-programs.mjs";
import { oldNode } from "./old-node.mjs";

/** An ordinary user who exists only in the view. */
const newcomer = { name: "newcomer", id: 4711 };
/** The variables that configure the package registry; no others are passed on. */
const registrySettings =
  /^(NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|npm_config_(registry|cafile|.*proxy)|https?_proxy|no_proxy)$/i;

/**
 * A view of this Debian machine on which nothing is installed besides git, Node and npm: programs of other packages
 * are absent, `/tmp` and the home directory are empty, and the environment is a new one. Its Node, `nodeVersion`, is
 * older than the packages need; see old-node.mjs. Needs root.
 *
 * `run` runs a shell command in a fresh clone of HEAD, whose path contains a space, as root or as an ordinary user;
 * every process it leaves ends with it. Each user has one clone, and the second user finds in the home directory what
 * the first one downloaded. `cloneOf` is the path of a user's clone on this machine. `remove` removes everything. With
 * `keepsResults`, turbo's cache of each user stays on this machine, and the next view has it again.
 */
export async function bareMachine({ keepsResults = false } = {}) {
  if (process.getuid?.() !== 0) throw new Error("A bare view of the machine is made by root only.");
  const folder = mkdtempSync(`${tmpdir()}/skillwright-bare-`);
  const temporary = `${folder}/tmp`;
  for (const name of ["home", OF_TURBO, "a read-only home", "temporary files"])
    mkdirSync(`${temporary}/${name}`, { recursive: true });
  chmodSync(folder, 0o755);
  chmodSync(temporary, 0o1777);
  mkdirSync(`${folder}/hidden`);
  const programs = await addedPrograms();
  writeFileSync(`${folder}/passwd`, `${readFileSync("/etc/passwd", "utf8").trimEnd()}\n${passwdLine()}\n`);
  const [fetched, node] = await Promise.all([registryEnvironment(), oldNode()]);

  /**
   * @param {string} command
   * @param {object} [options]
   * @param {"root" | "newcomer"} [options.user]
   * @param {boolean} [options.isOdd] With every program of this machine, and with the odd settings of `oddEnvironment`.
   * @param {(text: string) => void} [options.show]
   */
  async function run(command, { user = "root", isOdd = false, show } = {}) {
    const place = await clone(user);
    const owner = user === "root" ? 0 : newcomer.id;
    const hidden = (/** @type {string} */ program) => (isOdd ? [] : (programs.get(program) ?? []));
    const script = [
      "set -e",
      `mount --bind '${folder}/passwd' /etc/passwd`,
      ...programFolders.flatMap((program) => hide(`${folder}/hidden`, program, hidden(program))),
      "for socket in /run/docker.sock /run/podman/podman.sock; do [ ! -e $socket ] || mount --bind /dev/null $socket; done",
      `mount --bind '${temporary}' /tmp`,
      ...(keepsResults ? [`mount --bind '${keptFor(user, owner)}' '/tmp/${OF_TURBO}'`] : []),
      `umask ${isOdd ? "077" : "022"}`,
      `cd '${place.replace(temporary, "/tmp")}'`,
      "set +e",
      // Without exec, because the first process of the view waits for the processes that its descendants leave.
      `setpriv --reuid=${owner} --regid=${owner} --clear-groups -- sh -c "$0"`,
    ].join("\n");
    const view = ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
    const env = {
      ...environment(node.directories),
      ...fetched,
      ...(user === "root" ? {} : { USER: newcomer.name }),
    };
    return await runCommand("unshare", [...view, "sh", "-c", script, command], {
      env: { ...env, ...(isOdd ? oddEnvironment : {}) },
      show: show ?? true,
    });
  }

  const cloneOf = (/** @type {string} */ user) => `${temporary}/a bare machine/${user}`;

  async function clone(/** @type {string} */ user) {
    const place = cloneOf(user);
    if (!existsSync(place)) await runCommand("git", ["clone", "--quiet", "--no-hardlinks", root, place]);
    const owner = user === "root" ? "0:0" : `${newcomer.id}:${newcomer.id}`;
    await runCommand("chown", ["-R", owner, place, `${temporary}/home`, `${temporary}/temporary files`]);
    return place;
  }

  return {
    run,
    cloneOf,
    nodeVersion: node.version,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The directory of turbo's cache, relative to the view's `/tmp`. */
const OF_TURBO = "home/.cache/skillwright/turbo";

function keptFor(/** @type {string} */ user, /** @type {number} */ owner) {
  const kept = `${cacheHome()}/skillwright/turbo-of-bare-machine/${user}`;
  mkdirSync(kept, { recursive: true });
  chownSync(kept, owner, owner);
  return kept;
}

/** The home directory belongs to root, so an ordinary user cannot write to it. */
const oddEnvironment = {
  TZ: "America/Los_Angeles",
  LANG: "C",
  HOME: "/tmp/a read-only home",
  TMPDIR: "/tmp/temporary files",
};

function passwdLine() {
  return `${newcomer.name}:x:${newcomer.id}:${newcomer.id}::/tmp/home:/bin/sh`;
}

/** Shell lines that put whiteouts over a directory of programs; the kernel treats them as absent files. */
function hide(whiteouts, folder, names) {
  if (names.length === 0) return [];
  const own = `${whiteouts}${folder}`;
  return [
    `mkdir -p '${own}' && mount -t tmpfs -o mode=755 hidden '${own}'`,
    `cd '${own}' && for name in ${names.map(quoted).join(" ")}; do mknod "./$name" c 0 0; done; cd /`,
    `mount -t overlay -o 'ro,lowerdir=${own}:${folder}' bare ${folder}`,
  ];
}

function quoted(/** @type {string} */ text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function environment(ofNode) {
  const path = [
    ...ofNode.filter((directory) => !programFolders.includes(directory)),
    "/usr/local/sbin",
    "/usr/local/bin",
    "/usr/sbin",
    "/usr/bin",
    "/sbin",
    "/bin",
  ];
  return { PATH: path.join(":"), HOME: "/tmp/home", LANG: "C.UTF-8", TERM: "dumb" };
}

async function registryEnvironment() {
  const kept = Object.entries(process.env).filter(([name]) => registrySettings.test(name));
  const asked = ["registry", "cafile"].map(async (name) => {
    const { stdout } = await runCommand("npm", ["config", "get", name]);
    return [`npm_config_${name}`, stdout.trim()];
  });
  const configured = (await Promise.all(asked)).filter(
    ([, value]) => value !== "null" && value !== "undefined",
  );
  return Object.fromEntries([...kept, ...configured]);
}
