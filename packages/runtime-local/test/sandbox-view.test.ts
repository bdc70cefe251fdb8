import { homedir } from "node:os";
import type { RuntimeWorkspace } from "@skillwright/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { localSubject } from "./local-subject.js";
import { markedSleep, printed, processesWith, runText } from "./running.js";
import { statusOf } from "./status-of.js";

const base = { runId: "r", cwd: ".", env: {}, timeoutMs: 600_000, maxOutputBytes: 1000 };

if (hasAll("bubblewrap"))
  describe("what a sandboxed command sees", () => {
    let subject: Awaited<ReturnType<typeof localSubject>>;
    let workspace: RuntimeWorkspace;

    beforeAll(async () => {
      subject = await localSubject("sandbox");
      workspace = await subject.runtime.create("w1");
    });

    afterAll(() => subject.dispose());

    test("the root directory contains the system's programs, the workspace and new file systems", async () => {
      const names = (await printed(workspace, "ls /")).trim().split("\n");
      const expected = [
        "bin",
        "dev",
        "etc",
        "lib",
        "lib32",
        "lib64",
        "libx32",
        "opt",
        "proc",
        "sbin",
        "tmp",
        "usr",
        "var",
        "workspace",
      ];
      expect(names.filter((name) => !expected.includes(name))).toEqual([]);
    });

    test("no home, no accounts, no keys of the host are visible", async () => {
      const { stdout } = await runText(
        workspace,
        `ls -d ${homedir()} /root /home /run /sys /etc/shadow /etc/ssh /etc/ssl 2>/dev/null`,
      );
      expect(stdout.text).toBe("");
      expect(await printed(workspace, "cut -d: -f1 /etc/passwd | tr '\\n' ' '")).toBe("root user nobody ");
      expect(await printed(workspace, "hostname; whoami; id -u; id -G")).toBe("sandbox\nuser\n1000\n1000\n");
    });

    test("only work, out, runs and the temporary directories are writable", async () => {
      const directories =
        "/ /workspace /workspace/skills /usr /usr/bin /etc /dev /proc /var /opt /workspace/work /workspace/out /workspace/runs /tmp /var/tmp /dev/shm";
      const writable = await printed(
        workspace,
        `for d in ${directories}; do touch $d/x 2>/dev/null && echo $d; done; true`,
      );
      expect(writable.trim().split("\n")).toEqual([
        "/workspace/work",
        "/workspace/out",
        "/workspace/runs",
        "/tmp",
        "/var/tmp",
        "/dev/shm",
      ]);
    });

    test("file systems in memory are limited", async () => {
      const sizes = await printed(workspace, "df -k --output=size /tmp /dev/shm | tail -n +2 | tr -d ' '");
      expect(sizes).toBe("262144\n65536\n");
    });

    test("/tmp is empty for each run", async () => {
      await printed(workspace, "echo x > /tmp/left");
      expect(await printed(workspace, "ls /tmp | wc -l")).toBe("0\n");
    });

    test("variables named like properties of every object are ordinary variables", async () => {
      const env = Object.fromEntries([
        ["__proto__", "a"],
        ["constructor", "b"],
      ]);
      expect(await printed(workspace, "env | grep -e __proto__ -e constructor | sort", { env })).toBe(
        "__proto__=a\nconstructor=b\n",
      );
    });

    test("FILE-22: devices, files of other users and more permissions cannot be created", async () => {
      for (const attempt of [
        "mknod out/n c 1 5",
        "chown 0 out",
        "unshare -U true",
        "su -c true",
        "ln /usr/bin/env out/env",
      ])
        expect((await runText(workspace, attempt)).exitCode, attempt).not.toBe(0);
    });

    test("PROC-07: only the run's own processes can be seen or signalled", async () => {
      const sleep = markedSleep();
      const other = await subject.runtime.create("w2");
      const neighbour = await other.start({ ...base, command: `${sleep}; true` });
      await expect.poll(() => processesWith(sleep).length).toBeGreaterThan(0);
      const seen = await printed(
        workspace,
        "for p in /proc/[0-9]*; do tr '\\0' ' ' < $p/cmdline; done; kill -9 -1; true",
      );
      expect(seen).not.toContain(sleep);
      expect(processesWith(sleep).length).toBeGreaterThan(0);
      await neighbour.signal("SIGKILL");
      expect(await neighbour.result).toMatchObject({ exitCode: 137, treeEnded: true });
      expect(processesWith(sleep)).toEqual([]);
    });

    test("a root host's commands have an ordinary user's rights outside", async () => {
      const sleep = markedSleep();
      const running = await workspace.start({ ...base, command: `${sleep} & echo begun; wait` });
      // Until the command runs, processes that prepare the sandbox are root's.
      for await (const _ of running.output()) break;
      // The supervisor outside is this process's child, and stays root.
      const inside = processesWith(sleep).filter((pid) => statusOf(pid, "PPid") !== String(process.pid));
      const users = new Set(inside.map((pid) => statusOf(pid, "Uid")));
      const own = process.geteuid?.() === 0 ? 64_000 : process.geteuid?.();
      expect([...users]).toEqual([Array(4).fill(own).join(" ")]);
      const groups = new Set(inside.map((pid) => statusOf(pid, "Groups")));
      if (own === 64_000) expect([...groups].join("").replace("64000", "").trim()).toBe("");
      await running.signal("SIGKILL");
      await running.result;
    });

    test("only the first three descriptors are open", async () => {
      const open = await printed(workspace, "find /proc/$$/fd -type l -printf '%f %l\\n'; true");
      const numbers = open.trim().split("\n");
      expect(numbers.map((line) => line.split(" ")[0]).sort()).toEqual(["0", "1", "2"]);
    });

    test("with the network requested there are interfaces and names can be resolved", async () => {
      const names = await printed(
        workspace,
        "ls /sys/class/net 2>/dev/null; tail -n +3 /proc/net/dev | wc -l; test -e /etc/resolv.conf && echo resolver",
        {
          network: true,
        },
      );
      expect(names).toMatch(/resolver/);
    });
  });
