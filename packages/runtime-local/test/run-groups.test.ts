import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RuntimeWorkspace } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { ownControlGroups } from "../src/limits/control-group-hierarchies.js";
import { groupName } from "../src/limits/group-names.js";
import { endGroup } from "../src/run/end-group.js";
import { findRunGroups } from "../src/run/run-groups.js";
import { localSubject, temporaryDirectory } from "./local-subject.js";
import { markedSleep, processesWith, runText } from "./running.js";

const script = fileURLToPath(new URL("children/host.mjs", import.meta.url));
const parent = ownControlGroups().get("freezer") ?? "";
/** Of the whole of `/proc/self/cgroup` the group in that hierarchy, below the group of this process. */
const OWN_GROUP = `$(sed -n 's/^[0-9]*:freezer://p' /proc/self/cgroup)`;

function groupsOfThisProcess(): readonly string[] {
  return readdirSync(parent).filter((name) => name.startsWith(`skillwright-${process.pid}-`));
}

test("where no process can be put into a group, none are offered and nothing is left", async () => {
  const { path, remove } = await temporaryDirectory();
  expect(await findRunGroups(path)).toBeUndefined();
  expect(await findRunGroups(join(path, "gone"))).toBeUndefined();
  expect(await findRunGroups(undefined)).toBeUndefined();
  expect(readdirSync(path)).toEqual([]);
  await remove();
});

if (hasAll("control groups of version 1"))
  describe("a run without isolation in a control group", () => {
    let subject: Awaited<ReturnType<typeof localSubject>>;
    let workspace: RuntimeWorkspace;

    beforeEach(async () => {
      subject = await localSubject("none");
      workspace = await subject.runtime.create("w1");
    });

    afterEach(async () => {
      await subject.dispose();
      expect(groupsOfThisProcess()).toEqual([]);
    });

    test("the runtime says that runs are ended whole, and what a command could still do", async () => {
      const { endsTree, diagnostics } = await subject.runtime.capabilities();
      expect(endsTree).toBe(true);
      expect(diagnostics?.map(({ code }) => code)).toEqual(["isolation.can-leave-group"]);
    });

    test("the command is in the group from its start on, and no thread of this process stays in it", async () => {
      const tasks = () =>
        readdirSync("/proc/self/task").map((id) => readFileSync(`/proc/self/task/${id}/cgroup`, "utf8"));
      const before = new Set(tasks());
      const running = Array.from({ length: 20 }, () => runText(workspace, `echo ${OWN_GROUP}`));
      const groups = (await Promise.all(running)).map(({ stdout }) => stdout.text.trim().split("/").at(-1));
      expect(new Set(groups).size).toBe(20);
      for (const group of groups)
        expect(group).toMatch(new RegExp(`^skillwright-${process.pid}-[0-9a-f]{16}$`));
      expect(new Set(tasks())).toEqual(before);
    });

    test("groups that a command makes below, and freezes, are ended and removed with the run", async () => {
      const sleep = markedSleep();
      const below = `${parent}/$(basename "${OWN_GROUP}")/below`;
      const text = `below="${below}"; mkdir "$below" && echo $$ > "$below/tasks"
${sleep} & echo FROZEN > "$below/freezer.state"; ${sleep}`;
      const { timedOut, treeEnded } = await runText(workspace, text, { timeoutMs: 500 });
      expect([timedOut, treeEnded, processesWith(sleep)]).toEqual([true, true, []]);
    });

    test("a tree that grows all the time is ended", async () => {
      const sleep = markedSleep();
      const text = `grow() { while :; do (setsid env -i ${sleep} &) ; done; }; grow & grow & ${sleep}`;
      const { timedOut, treeEnded } = await runText(workspace, text, { timeoutMs: 300 });
      expect([timedOut, treeEnded, processesWith(sleep)]).toEqual([true, true, []]);
    });

    test("a command that cannot be started leaves no group", async () => {
      await expect(
        runText(workspace, "true", { env: { A: "x".repeat(120_000), B: "x".repeat(120_000) } }),
      ).resolves.toBeDefined();
      await expect(runText(workspace, "x".repeat(200_000))).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
      expect(groupsOfThisProcess()).toEqual([]);
    });

    test("a group that this process itself is in is not ended", async () => {
      expect(await endGroup(parent)).toBe(false);
      expect(readFileSync(join(parent, "cgroup.procs"), "utf8")).toContain(`${process.pid}\n`);
    });

    test("groups of processes that are gone are removed when a runtime is next made, and others are kept", async () => {
      const [left, own] = [
        join(parent, "skillwright-4194304999-0000000000000000"),
        join(parent, groupName()),
      ];
      mkdirSync(left);
      mkdirSync(own);
      await findRunGroups(parent);
      expect([existsSync(left), existsSync(own)]).toEqual([false, true]);
      rmdirSync(own);
    });

    test("destroying by another runtime of the place ends what hid from a run's process group", async () => {
      const sleep = markedSleep();
      const running = runText(workspace, `(setsid env -i ${sleep} >/dev/null 2>&1 &); echo ready; sleep 30`);
      while (processesWith(`${sleep} `).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      expect(await subject.other.destroy("w1")).toBe(true);
      expect(processesWith(sleep)).toEqual([]);
      expect((await running).exitCode).toBe(137);
    });

    if (existsSync(fileURLToPath(new URL("../dist/index.js", import.meta.url))))
      test("destroying ends what hid, also when the process that started the run was killed", async () => {
        const sleep = markedSleep();
        const text = `(setsid env -i ${sleep} >/dev/null 2>&1 &); sleep 0.3; echo ready; sleep 30`;
        const host = spawn(process.execPath, [script, subject.root, "none", "w1", text], {
          stdio: ["ignore", "ignore", "pipe"],
        });
        await once(host.stderr, "data");
        host.kill("SIGKILL");
        await once(host, "exit");
        expect(processesWith(sleep).length).toBeGreaterThan(0);
        expect(await subject.runtime.destroy("w1")).toBe(true);
        expect(processesWith(sleep)).toEqual([]);
        expect(readdirSync(parent).filter((name) => name.startsWith(`skillwright-${host.pid}-`))).toEqual([]);
      });
  });

if (hasAll("bubblewrap", "control groups of version 1"))
  test("a sandboxed run is in a group of its own as well, and is over when that is ended", async () => {
    const { runtime, dispose } = await localSubject("sandbox");
    const workspace = await runtime.create("w1");
    const sleep = markedSleep();
    const running = runText(workspace, sleep);
    while (processesWith(sleep).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const [group = "", ...others] = groupsOfThisProcess();
    expect(others).toEqual([]);
    expect(await endGroup(join(parent, group))).toBe(true);
    expect(processesWith(sleep)).toEqual([]);
    expect(await running).toMatchObject({ exitCode: 137, treeEnded: true });
    await dispose();
    expect(groupsOfThisProcess()).toEqual([]);
  });
