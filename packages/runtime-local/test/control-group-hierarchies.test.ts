import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { ownControlGroups } from "../src/limits/control-group-hierarchies.js";
import { limitsBelow } from "../src/limits/control-groups.js";
import { VERSION_1 } from "../src/limits/group-versions.js";
import { temporaryDirectory } from "./local-subject.js";

let remove: () => Promise<void> = async () => undefined;

afterEach(() => remove());

/** A procfs and its hierarchies; `%` in the mounts stands for their directory. */
async function machine(
  cgroup: string,
  mountinfo: string,
  groups: readonly string[],
): Promise<{ path: string }> {
  const temporary = await temporaryDirectory();
  remove = temporary.remove;
  const { path } = temporary;
  await writeFile(join(path, "cgroup"), cgroup);
  await writeFile(join(path, "mountinfo"), mountinfo.replaceAll("%", path.replaceAll(" ", "\\040")));
  for (const group of groups) {
    const file = join(path, group, "cgroup.procs");
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, "");
  }
  return { path };
}

test("finds a process's own groups in separate hierarchies", async () => {
  const { path } = await machine(
    "9:pids:/\n4:memory:/job/1\n2:cpu,cpuacct:/job\n0::/\n",
    [
      "35 31 0:32 / %/memory rw,relatime - cgroup cgroup rw,memory",
      "40 31 0:37 / %/pids rw,relatime shared:9 - cgroup cgroup rw,pids",
      "41 31 0:38 / %/cpu rw,relatime - cgroup cgroup rw,cpu,cpuacct",
    ].join("\n"),
    ["memory/job/1", "pids", "cpu/job"],
  );
  expect(Object.fromEntries(ownControlGroups(path).separate)).toEqual({
    memory: join(path, "memory/job/1"),
    pids: join(path, "pids"),
    cpu: join(path, "cpu/job"),
  });
});

test("finds a hierarchy whose path has blanks", async () => {
  const { path } = await machine(
    "9:pids:/a job\n",
    "40 31 0:37 / %/the\\040pids rw,relatime - cgroup cgroup rw,pids\n",
    ["the pids/a job"],
  );
  expect(Object.fromEntries(ownControlGroups(path).separate)).toEqual({ pids: join(path, "the pids/a job") });
});

test("in a container, where the mount starts at the container's group, the path does too", async () => {
  const { path } = await machine(
    "9:pids:/docker/abc\n",
    "40 31 0:37 /docker/abc %/pids ro,relatime - cgroup cgroup rw,pids\n",
    ["pids"],
  );
  expect(Object.fromEntries(ownControlGroups(path).separate)).toEqual({ pids: join(path, "pids") });
});

test("finds a process's own group in the unified hierarchy, by its path below the mount", async () => {
  const { path } = await machine("0::/user.slice/a job\n", "41 31 0:38 / %/all rw - cgroup2 cgroup2 rw\n", [
    "all",
  ]);
  await writeFile(join(path, "all/cgroup.controllers"), "cpuset cpu io memory pids\n");
  expect(ownControlGroups(path)).toEqual({
    separate: new Map(),
    unified: { mountPoint: join(path, "all"), name: "/user.slice/a job" },
  });
});

test.each([
  ["0::/docker/abc\n", "/"],
  ["0::/docker/abc/host\n", "/host"],
])("in a container, the unified hierarchy starts at the container's group too (%j)", async (cgroup, name) => {
  const mount = "41 31 0:38 /docker/abc %/all rw - cgroup2 cgroup rw\n";
  const { path } = await machine(cgroup, mount, ["all"]);
  await writeFile(join(path, "all/cgroup.controllers"), "memory\n");
  expect(ownControlGroups(path).unified?.name).toBe(name);
});

test("a unified hierarchy whose controllers are in separate ones, and a machine without any, give none", async () => {
  const { path } = await machine("0::/user.slice\n", "41 31 0:38 / %/unified rw - cgroup2 cgroup2 rw\n", [
    "unified",
  ]);
  await writeFile(join(path, "unified/cgroup.controllers"), "hugetlb\n");
  const none = { separate: new Map(), unified: undefined };
  expect(ownControlGroups(path)).toEqual(none);
  expect(ownControlGroups(join(path, "nowhere"))).toEqual(none);
});

test("a hierarchy in which no group can be created or no limit set offers nothing", async () => {
  const { path } = await machine("9:pids:/\n", "40 31 0:37 / %/pids rw - cgroup cgroup rw,pids\n", ["pids"]);
  const parents = new Map([["pids", join(path, "gone")] as const]);
  expect(limitsBelow({ version: VERSION_1, of: new Map() })).toEqual([]);
  expect(limitsBelow({ version: VERSION_1, of: parents })).toEqual([]);
});
