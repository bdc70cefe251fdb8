import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RuntimeWorkspace } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { localSubject } from "./local-subject.js";
import { commandLine, markedSleep, printed, processesWith, runText, SLEEP_MS } from "./running.js";
import { skillDirectory } from "./skill-directory.js";

if (hasAll("bubblewrap"))
  describe("known weaknesses of bubblewrap", () => {
    let subject: Awaited<ReturnType<typeof localSubject>>;
    let workspace: RuntimeWorkspace;
    let skill: Awaited<ReturnType<typeof skillDirectory>>;

    beforeEach(async () => {
      subject = await localSubject("sandbox");
      workspace = await subject.runtime.create("w1");
      skill = await skillDirectory();
      await workspace.stage(skill.staged);
    });

    afterEach(async () => {
      await subject.dispose();
      await skill.remove();
    });

    test("LINK-08: a read-only skill cannot be remounted writable, even where the host is root", async () => {
      const attempts = [
        "mount -o remount,rw,bind /workspace/skills/demo",
        "mount -o remount,rw /workspace/skills/demo",
        "umount /workspace/skills/demo",
        "unshare --user --map-root-user --mount true",
      ];
      for (const attempt of attempts)
        expect((await runText(workspace, attempt)).exitCode, attempt).not.toBe(0);
      await runText(
        workspace,
        "echo evil >> skills/demo/SKILL.md; chmod -R u+w skills/demo; rm -rf skills/demo/*",
      );
      expect(await readFile(join(skill.path, "SKILL.md"), "utf8")).toBe(skill.text);
    });

    test("all processes inside are without capabilities and cannot gain any", async () => {
      const status = await printed(
        workspace,
        "grep -h -e ^Cap -e NoNewPrivs /proc/self/status /proc/1/status | sort -u",
      );
      const values = status
        .trim()
        .split("\n")
        .map((line) => line.split(/:\s*/));
      for (const [name, value] of values)
        expect([name, value]).toEqual([name, name === "NoNewPrivs" ? "1" : "0".repeat(16)]);
      expect(values.length).toBe(6);
    });

    test("ENV-01, ENV-02: no command can read or signal the first process", async () => {
      const text =
        "for f in environ mem maps fd/0 root/etc; do ls /proc/1/$f/ || cat /proc/1/$f; done; kill -KILL 1; kill -STOP 1";
      const { stdout } = await runText(workspace, `(${text}) 2>/dev/null; sleep 0.1; echo lives`);
      expect(stdout.text).toBe("lives\n");
    });

    test("ENV-03: no variable of a caller reaches the launcher, and PATH does not select the shell", async () => {
      const trap = "#!/bin/sh\necho trapped\n";
      await workspace.put(
        ["bash", "bwrap", "sh", "prlimit"].map((name) => ({
          path: `work/bin/${name}`,
          content: trap,
          executable: true,
        })),
      );
      const env = { PATH: "/workspace/work/bin:/usr/bin:/bin" };
      expect(await printed(workspace, "echo fine", { env })).toBe("fine\n");
      expect(await printed(workspace, "echo fine", { env, limits: { openFiles: 64 } })).toBe("fine\n");
      expect(await printed(workspace, "bash -c 'echo fine'", { env })).toBe("trapped\n");
      for (const name of ["LD_PRELOAD", "BASH_ENV", "ENV"])
        await expect(
          workspace.start({ ...idle, env: { [name]: "/workspace/work/x" } }),
        ).rejects.toMatchObject({
          code: "INPUT_INVALID",
        });
    });

    test("a directory that contains mounted skills cannot be moved away", async () => {
      const attempts = [
        "mv skills work/mine",
        "mv /workspace /tmp/w",
        "ln -sfn /tmp skills",
        "rm -rf skills",
      ];
      for (const attempt of attempts) await runText(workspace, attempt);
      await runText(workspace, "mkdir -p skills/demo/scripts && echo evil > skills/demo/SKILL.md");
      expect(await printed(workspace, "cat skills/demo/SKILL.md")).toBe(skill.text);
      expect(await printed(workspace, "ls; ls skills")).toBe("out\nruns\nskills\nwork\ndemo\n");
    });

    test("ENV-07: a secret is on no command line", async () => {
      const sleep = markedSleep();
      const ending = new AbortController();
      const handle = await workspace.start(
        {
          ...idle,
          command: `echo up; ${sleep}; true`,
          env: { API_TOKEN: "tok-abcdef123456" },
          timeoutMs: SLEEP_MS,
        },
        { signal: ending.signal },
      );
      for await (const _ of handle.output()) break;
      const lines = processesWith(sleep).map(commandLine);
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.join()).not.toContain("tok-abcdef123456");
      expect(lines.join()).not.toContain("API_TOKEN");
      ending.abort();
      expect(await handle.result).toMatchObject({ aborted: true });
    });
  });

const idle = { runId: "idle", command: "true", cwd: ".", timeoutMs: 1000, maxOutputBytes: 1000 };
