import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { root } from "../../scripts/bootstrap/root.mjs";
import { runCommand } from "../../scripts/run-command.mjs";
import { plainPrograms, programFolders } from "./plain-programs.mjs";

/** An ordinary user, who exists in the view alone. */
const newcomer = { name: "newcomer", id: 4711 };
/** What leads to the package registry, and nothing else of the environment. */
const registrySettings =
  /^(NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|npm_config_(registry|cafile|.*proxy)|https?_proxy|no_proxy)$/i;

/**
 * A view of this machine, a Debian, on which nothing is installed besides git, Node and npm: programs of other packages
 * are not in it, `/tmp` and the home directory are empty, and the environment is a new one. Needs root.
 *
 * `run` runs a shell command in a fresh clone of HEAD, whose path contains a space, as root or as an ordinary user;
 * every process it leaves ends with it. The second user finds what the first one downloaded. `remove` removes all.
 */
export async function bareMachine() {
  if (process.getuid?.() !== 0) throw new Error("A bare view of the machine is made by root only.");
  const folder = mkdtempSync(`${tmpdir()}/skillwright-bare-`);
  const temporary = `${folder}/tmp`;
  mkdirSync(`${temporary}/home`, { recursive: true });
  chmodSync(folder, 0o755);
  chmodSync(temporary, 0o1777);
  mkdirSync(`${folder}/hidden`);
  const hidden = await plainPrograms();
  writeFileSync(`${folder}/passwd`, `${readFileSync("/etc/passwd", "utf8").trimEnd()}\n${passwdLine()}\n`);
  const fetched = await registryEnvironment();

  /**
   * @param {string} command
   * @param {{ user?: "root" | "newcomer", env?: Record<string, string>, umask?: string, show?: (text: string) => void }} [options]
   */
  async function run(command, { user = "root", env = {}, umask = "022", show } = {}) {
    const place = `${temporary}/a bare machine/${user}`;
    await runCommand("git", ["clone", "--quiet", "--no-hardlinks", root, place]).catch((error) => {
      if (!String(error.message).includes("already exists")) throw error;
    });
    const owner = user === "root" ? 0 : newcomer.id;
    await runCommand("chown", ["-R", `${owner}:${owner}`, place, `${temporary}/home`]);
    const script = [
      "set -e",
      `mount --bind '${folder}/passwd' /etc/passwd`,
      ...programFolders.flatMap((program) =>
        hide(`${folder}/hidden`, program, hidden.get(program)?.other ?? []),
      ),
      "for socket in /run/docker.sock /run/podman/podman.sock; do [ ! -e $socket ] || mount --bind /dev/null $socket; done",
      `mount --bind '${temporary}' /tmp`,
      `umask ${umask}`,
      `cd '${place.replace(temporary, "/tmp")}'`,
      "set +e",
      // Not by exec: the first process of the view waits for whatever its descendants leave.
      `setpriv --reuid=${owner} --regid=${owner} --clear-groups -- sh -c "$0"`,
    ].join("\n");
    const view = ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
    return await runCommand("unshare", [...view, "sh", "-c", script, command], {
      env: { ...environment(), ...fetched, ...(user === "root" ? {} : { USER: newcomer.name }), ...env },
      show: show ?? true,
    });
  }

  return { run, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function passwdLine() {
  return `${newcomer.name}:x:${newcomer.id}:${newcomer.id}::/tmp/home:/bin/sh`;
}

/** Shell lines that lay whiteouts over a folder of programs; the kernel takes them for "there is no such file". */
function hide(whiteouts, folder, names) {
  const own = `${whiteouts}${folder}`;
  return [
    `mkdir -p '${own}' && mount -t tmpfs -o mode=755 hidden '${own}'`,
    ...(names.length > 0
      ? [`cd '${own}' && for name in ${names.map(quoted).join(" ")}; do mknod "./$name" c 0 0; done; cd /`]
      : []),
    `mount -t overlay -o 'ro,lowerdir=${own}:${folder}' bare ${folder}`,
  ];
}

function quoted(/** @type {string} */ text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function environment() {
  const node = dirname(process.execPath);
  const path = [
    ...(programFolders.includes(node) ? [] : [node]),
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
