import { existsSync, lstatSync, readdirSync, utimesSync } from "node:fs";

/** Every path below the directory, relative to it. */
export function pathsBelow(directory, prefix = "") {
  return readdirSync(`${directory}/${prefix}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${prefix}${entry.name}`;
    return entry.isDirectory() ? [`${path}/`, ...pathsBelow(directory, `${path}/`)] : [path];
  });
}

/** Control groups that processes with these ids created and did not remove. */
export function controlGroupsOf(pids) {
  const names = new Set(pids.map(String));
  return groupsBelow("/sys/fs/cgroup").filter((path) =>
    names.has(/\/skillwright-(\d+)-[^/]*$/.exec(path)?.[1]),
  );
}

/** Files that a killed process was writing are left alone for an hour, since another one may use them; this makes them old. */
export function makeOld(directory) {
  if (!existsSync(directory)) return;
  const longAgo = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
  for (const name of readdirSync(directory)) {
    if (name.startsWith(".skillwright-") && lstatSync(`${directory}/${name}`).isDirectory())
      utimesSync(`${directory}/${name}`, longAgo, longAgo);
  }
}

function groupsBelow(directory) {
  const found = [];
  let entries = [];
  try {
    entries = readdirSync(directory, { withFileTypes: true });
  } catch {
    return found; // It went while it was looked at.
  }
  for (const entry of entries) {
    if (!entry.isDirectory()) continue;
    const path = `${directory}/${entry.name}`;
    if (entry.name.startsWith("skillwright-")) found.push(path);
    else found.push(...groupsBelow(path));
  }
  return found;
}
