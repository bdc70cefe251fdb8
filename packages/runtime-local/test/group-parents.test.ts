import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { NO_GROUPS, type OwnGroups } from "../src/limits/control-group-hierarchies.js";
import { openGroup } from "../src/limits/control-groups.js";
import { findGroupParents } from "../src/limits/find-group-parents.js";
import { sweepGroups } from "../src/limits/group-names.js";
import { VERSION_1, VERSION_2 } from "../src/limits/group-versions.js";
import { notPassedOn } from "../src/limits/no-groups.js";
import { type Systemd, unitOf } from "../src/limits/systemd-units.js";
import { temporaryDirectory } from "./local-subject.js";

const CONTROLLERS = "cpuset cpu io memory pids\n";
let path = "";
let remove: () => Promise<void> = async () => undefined;

beforeEach(async () => {
  ({ path, remove } = await temporaryDirectory());
});

afterEach(() => remove());

/** Files of a group as the kernel has them. Those that are written to hold what was written last. */
async function group(name: string, { passed = CONTROLLERS, procs = "" } = {}): Promise<string> {
  const directory = join(path, name);
  await mkdir(directory, { recursive: true });
  const files = { controllers: CONTROLLERS, subtree_control: passed, procs, type: "domain\n" };
  for (const [file, text] of Object.entries(files)) await writeFile(join(directory, `cgroup.${file}`), text);
  return directory;
}

const unified = (name: string): OwnGroups => ({ ...NO_GROUPS, unified: { mountPoint: path, name } });

const systemd = (delegated: readonly string[] = [], isRunning = true): Systemd => ({
  isRunning: () => isRunning,
  delegates: async ({ name }) => delegated.includes(name),
  runner: async () => "/usr/bin/systemd-run",
});

describe("the place for the groups of runs", () => {
  test("is the process's own group if no systemd manages it, or the parent if the parent was divided", async () => {
    const own = await group("box");
    for (const name of ["/box", "/box/host"]) {
      const found = await findGroupParents(unified(name), systemd([], false));
      expect(found).toEqual({
        parents: { version: VERSION_2, of: new Map(["memory", "pids", "cpu"].map((each) => [each, own])) },
        missing: undefined,
      });
    }
  });

  test("is the group of a service with Delegate=, even if the process is in a group below it", async () => {
    const own = await group("system.slice/a.service");
    for (const below of ["", "/host", "/of/its/own"]) {
      const found = await findGroupParents(
        unified(`/system.slice/a.service${below}`),
        systemd(["a.service"]),
      );
      expect("parents" in found && [...found.parents.of.values()]).toEqual([own, own, own]);
    }
  });

  test("gets no controller while it has processes, because these could then no longer be moved", async () => {
    const own = await group("box", { passed: "", procs: "4194304\n" });
    const found = await findGroupParents(unified("/box"), systemd([], false));
    expect(found).toEqual({
      missing: notPassedOn(own, ["memory", "pids", "cpu"], ["memory", "pids", "cpu"]),
    });
    expect(await readFile(join(own, "cgroup.subtree_control"), "utf8")).toBe("");
    expect(await readFile(join(own, "host/cgroup.procs"), "utf8")).toBe("4194304");
  });

  if (hasAll("root"))
    test("is a new scope in the same slice if the process is root in a service without Delegate=", async () => {
      await group("system.slice/a.service");
      expect(await findGroupParents(unified("/system.slice/a.service"), systemd())).toEqual({
        scope: { runner: "/usr/bin/systemd-run", slice: "system.slice" },
      });
    });

  test("is missing if the group is not writable, and the remedy is reported", async () => {
    const found = await findGroupParents(unified("/nowhere"), systemd([], false));
    expect(found).toEqual({
      missing: {
        why: `this process may not create control groups below ${path}/nowhere`,
        remedy: expect.stringContaining("Delegate=yes"),
      },
    });
    expect(await findGroupParents(NO_GROUPS, systemd())).toMatchObject({
      missing: { why: expect.stringContaining("mounted") },
    });
  });
});

test("a missing controller is reported as not delegated or as refused by the kernel", () => {
  const remedyOf = (group: string) => notPassedOn(group, ["cpu"], ["memory", "pids"]).remedy;
  expect(notPassedOn("/cg/a", ["cpu"], ["memory", "pids"]).why).toBe(
    "the controllers cpu were not delegated to /cg/a",
  );
  expect(remedyOf("/cg/user.slice/user-1000.slice/user@1000.service/app.slice/a.service")).toBe(
    "Delegate them: `systemctl edit user@.service` with `[Service]` and `Delegate=cpu memory pids`",
  );
  expect(remedyOf("/cg/system.slice/a.service/host")).toContain("`systemctl edit a.service`");
  expect(notPassedOn("/cg/a", ["cpu"], ["memory", "pids", "cpu"]).why).toMatch(/^the kernel refused .* cpu /);
});

test("the unit of a group is the first service or scope below its manager", () => {
  const unit = (name: string) => {
    const found = unitOf({ mountPoint: "/cg", name });
    return found && [found.name, found.directory, found.slice, found.managerOf];
  };
  const manager = "/user.slice/user-1000.slice/user@1000.service";
  expect(unit("/system.slice/a.service/host")).toEqual([
    "a.service",
    "/cg/system.slice/a.service",
    "system.slice",
    undefined,
  ]);
  expect(unit("/user.slice/user-1000.slice/session-3.scope")?.slice(2)).toEqual([
    "user-1000.slice",
    undefined,
  ]);
  expect(unit(`${manager}/app.slice/b.scope`)).toEqual([
    "b.scope",
    `/cg${manager}/app.slice/b.scope`,
    "app.slice",
    1000,
  ]);
  expect(unit(`${manager}/init.scope`)?.slice(2)).toEqual([undefined, 1000]);
  expect(unit("/")).toBeUndefined();
});

describe("the group of a run", () => {
  const limits = { memoryBytes: 67_108_864, processes: 16, cpu: 0.5 };

  async function opened(version: typeof VERSION_2) {
    const of = new Map((["memory", "pids", "cpu"] as const).map((each) => [each, path] as const));
    const run = openGroup({ version, of }, limits);
    const [name = ""] = await readdir(path);
    const text = (file: string) => readFile(join(path, name, file), "utf8");
    const tell = (file: string, told: string) => writeFile(join(path, name, file), told);
    return { run, name, text, tell };
  }

  test("in version 2 limits memory including swap, the number of processes including those of the sandbox, and the CPU time per period", async () => {
    const { run, name, text } = await opened(VERSION_2);
    expect(await text("memory.max")).toBe("67108864");
    expect(await text("memory.swap.max")).toBe("0");
    expect(await text("pids.max")).toBe("18");
    expect(await text("cpu.max")).toBe("50000 100000");
    expect(run.joins).toEqual([join(path, name, "cgroup.procs")]);
  });

  test.each([
    ["version 2", VERSION_2, "memory.events", "low 0\nhigh 0\nmax 12\noom 1\noom_kill 0\noom_group_kill 0\n"],
    ["version 1", VERSION_1, "memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n"],
  ])("of %s reports reached limits from the kernel's counters", async (_, version, file, none) => {
    const { run, tell } = await opened(version);
    const codes = () => run.diagnostics().map(({ code }) => code);
    // The kernel's files do not exist yet, as after the end of a scope.
    expect(codes()).toEqual([]);
    await tell(file, none);
    await tell("pids.events", "max 0\n");
    expect(codes()).toEqual([]);
    await tell(file, none.replace("oom_kill 0", "oom_kill 2"));
    expect(codes()).toEqual(["limit.memoryBytes-reached"]);
    await tell("pids.events", "max 7\n");
    expect(codes()).toEqual(["limit.memoryBytes-reached", "limit.processes-reached"]);
  });
});

test("groups of ended processes are removed; groups of live processes, of other PID namespaces and with other names stay", async () => {
  const own = openGroup({ version: VERSION_2, of: new Map([["pids", path]]) }, { processes: 1 });
  const [name = ""] = await readdir(path);
  const [, pid, start, space, random] = name.split("-");
  const left = `skillwright-${pid}-1-${space}-${random}`;
  const elsewhere = `skillwright-${pid}-1-1-${random}`;
  for (const each of [left, elsewhere, "another"]) await mkdir(join(path, each));
  sweepGroups(path);
  expect((await readdir(path)).sort()).toEqual(["another", name, elsewhere].sort());
  expect([pid, Number(start) > 0]).toEqual([String(process.pid), true]);
  await own.remove();
});
