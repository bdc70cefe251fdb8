import { existsSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { until } from "./until.mjs";

/** The programs that an engine starts besides its containers. Other processes that name the directory, such as a log reader, are not ended. */
const programsOfEngines =
  /^(dockerd|tini-static|containerd|containerd-shim.*|docker-proxy|runc|crun|podman|conmon|docker-registry|ceph-mon|ceph-osd|radosgw|radosgw-admin)$/;

/** Ends every process of an engine whose arguments name the directory: shims and monitors survive a killed engine. */
export async function endWhatNames(folder) {
  await until(10_000, () => {
    const left = processesThatName(folder);
    for (const pid of left) signal(pid, "SIGKILL");
    return left.length === 0;
  });
}

/** Ends every process in the control groups of a name, frozen or not, in all hierarchies, and removes the groups. */
export async function endControlGroup(name) {
  const groups = groupsOf(name);
  await until(10_000, () => {
    const pids = groups.flatMap(processesIn);
    for (const pid of pids) signal(pid, "SIGKILL");
    for (const group of groups.flatMap(descendants)) thaw(group);
    return pids.length === 0;
  });
  await until(2_000, () => {
    for (const group of groups.flatMap(descendants)) remove(group);
    return !groups.some((group) => existsSync(group));
  });
}

function processesThatName(folder) {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .map(Number)
    .filter((pid) => {
      const args = read(`/proc/${pid}/cmdline`).split("\0");
      return programsOfEngines.test(basename(args[0] ?? "")) && args.some((arg) => arg.includes(folder));
    });
}

/** One directory in the unified hierarchy, otherwise one per controller. */
function groupsOf(name) {
  const root = "/sys/fs/cgroup";
  return [root, ...directoriesIn(root)].map((directory) => `${directory}/${name}`).filter(existsSync);
}

/** The group and all below it, innermost first. */
function descendants(group) {
  return [...directoriesIn(group).flatMap(descendants), group];
}

function processesIn(group) {
  return descendants(group).flatMap((directory) =>
    read(`${directory}/cgroup.procs`)
      .split("\n")
      .map(Number)
      .filter((pid) => pid > 0),
  );
}

function thaw(group) {
  for (const [file, value] of [
    ["freezer.state", "THAWED"],
    ["cgroup.freeze", "0"],
  ]) {
    if (existsSync(`${group}/${file}`)) writeFileSync(`${group}/${file}`, value);
  }
}

function remove(group) {
  try {
    rmdirSync(group);
  } catch {
    // Not empty yet.
  }
}

function directoriesIn(directory) {
  try {
    return readdirSync(directory)
      .map((entry) => `${directory}/${entry}`)
      .filter((path) => statSync(path).isDirectory());
  } catch {
    return [];
  }
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
