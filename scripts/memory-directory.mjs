import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { freemem } from "node:os";

/** Linux keeps the files of this directory in memory; the tests create and delete tens of thousands. */
const MEMORY = "/dev/shm";
/** The temporary files of all concurrent tests stay below a quarter of it. */
const LEAST_BYTES = 8 * 1024 ** 3;

/**
 * A directory in memory for the temporary files of this process's children, removed when the process exits, together
 * with those of killed processes. `undefined` if the user set TMPDIR, if the system has no such directory, if less than
 * 8 GiB are free, or if no program in it can be started.
 *
 * @returns {string | undefined}
 */
export function memoryDirectory() {
  if (process.env.TMPDIR || !hasRoom() || !runsPrograms()) return undefined;
  // The same process id can belong to another process in another PID namespace.
  const prefix = `skillwright-${readlinkSync("/proc/self/ns/pid").replace(/\D/g, "")}-`;
  removeLeftOver(prefix);
  const directory = mkdtempSync(`${MEMORY}/${prefix}${process.pid}-`);
  // Tests run commands as other users.
  chmodSync(directory, 0o1777);
  process.on("exit", () => remove(directory));
  return directory;
}

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return process.platform === "linux" && Math.min(bavail * bsize, freemem()) >= LEAST_BYTES;
  } catch {
    return false;
  }
}

/** Containers often have it mounted with `noexec`; the kernel shows the options of each mount. */
function runsPrograms() {
  const mount = readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" "))
    .findLast(([, path]) => path === MEMORY);
  return mount !== undefined && !mount[3]?.split(",").includes("noexec");
}

function removeLeftOver(prefix) {
  for (const name of readdirSync(MEMORY)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split("-")[0]) : 0;
    if (pid > 0 && isGone(pid) && isOurs(name)) remove(`${MEMORY}/${name}`);
  }
}

/** Tests may leave staged skills, whose directories are read-only: only root can remove them as they are. */
function remove(directory) {
  if (process.getuid?.() !== 0) spawnSync("chmod", ["-R", "u+rwX", directory], { stdio: "ignore" });
  rmSync(directory, { recursive: true, force: true });
}

function isGone(pid) {
  try {
    process.kill(pid, 0);
    return false;
  } catch (/** @type {any} */ error) {
    return error.code === "ESRCH";
  }
}

/** Another run may have removed it in the meantime. */
function isOurs(name) {
  return statSync(`${MEMORY}/${name}`, { throwIfNoEntry: false })?.uid === process.getuid?.();
}
