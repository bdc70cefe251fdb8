import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { whole } from "./recorded.js";
import { ownProgram } from "./supervised.js";

if (hasAll("supervisor"))
  describe("a run whose host sees no file of it", () => {
    let root: string;
    beforeEach(() => {
      root = realpathSync(mkdtempSync(join(tmpdir(), "supervisor-")));
      mkdirSync(join(root, "one"));
      writeFileSync(join(root, "one/lease"), "");
    });
    afterEach(() => rmSync(root, { recursive: true }));

    function begin(text: string, options: readonly string[] = []) {
      const args = ["run", "--files", "--record", join(root, "one"), "--claim", "run", ...options];
      const child = spawn(ownProgram, [...args, "--", "/bin/bash", "-c", text], {
        stdio: ["ignore", "pipe", "inherit"],
        env: { FOREIGN: "1" },
      });
      return { first: textUntil(child.stdout, "\n"), over: once(child, "exit") };
    }

    function follow(...options: readonly string[]) {
      const child = spawn(ownProgram, ["follow", "--record", ...options], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      return { child, told: textUntil(child.stdout, undefined), over: once(child, "exit") };
    }

    test("takes its variables, input and secrets from its directory, and removes them", async () => {
      writeFileSync(join(root, "one/environment"), whole(Buffer.from("A=1\0B=two words\0")));
      writeFileSync(join(root, "one/input"), "given\n");
      const { first, over } = begin('cat; echo "$A $B $FOREIGN"');
      expect(await first).toBe("started\n");
      await over;
      const { told } = follow(root, "--claim", "run");
      const text = await told;
      expect(text).toContain("given\n");
      expect(text).toContain("1 two words \n");
      for (const name of ["environment", "input"]) expect(existsSync(join(root, "one", name))).toBe(false);
    });

    test("starts nothing with a part of its variables", async () => {
      writeFileSync(join(root, "one/environment"), whole(Buffer.from("A=1\0")).subarray(0, 10));
      const child = spawn(
        ownProgram,
        ["run", "--files", "--record", join(root, "one"), "--", "/bin/touch", join(root, "ran")],
        { stdio: "ignore" },
      );
      expect(await once(child, "exit")).toEqual([125, null]);
      expect(existsSync(join(root, "ran"))).toBe(false);
    });

    test("tells a second start that it failed", async () => {
      const { over } = begin("true");
      await over;
      mkdirSync(join(root, "two"));
      writeFileSync(join(root, "two/lease"), "");
      const args = ["run", "--files", "--record", join(root, "two"), "--claim", "run", "--", "/bin/true"];
      const second = spawn(ownProgram, args, { stdio: ["ignore", "pipe", "inherit"] });
      expect(await textUntil(second.stdout, undefined)).toBe("failed\n");
    });

    test("is followed to its end, with all bytes in frames", async () => {
      const { first } = begin(`until [ -e "${root}/go" ]; do sleep 0.01; done; printf out; exit 4`);
      await first;
      const { told } = follow(root, "--claim", "run");
      writeFileSync(join(root, "go"), "");
      const text = await told;
      expect(text.startsWith("run one\n")).toBe(true);
      expect(text).toContain(`stdout.0 15\n${"\0".repeat(8)}\u0003\0\0\0out`);
      expect(text).toMatch(/ended exit 4\n/);
      expect(text.endsWith("scan\nover\n")).toBe(true);
    });

    test("is signalled and ended by lines, and its lease is renewed", async () => {
      const { first } = begin("trap 'echo caught' TERM; echo ready; while :; do sleep 0.01; done");
      await first;
      const follower = follow(join(root, "one"));
      const written = () =>
        existsSync(join(root, "one/stdout.0")) ? statSync(join(root, "one/stdout.0")).size : 0;
      // The shell has set its trap only when it has printed this.
      await expect.poll(written).toBeGreaterThan(0);
      const before = statSync(join(root, "one/lease")).mtimeMs;
      const { stdin } = follower.child;
      stdin?.write("unknown\nrenew\nsignal 15\n");
      await expect.poll(written).toBeGreaterThan(30);
      expect(statSync(join(root, "one/lease")).mtimeMs).toBeGreaterThan(before);
      stdin?.write("abort\n");
      const text = await follower.told;
      expect(text).toContain("caught\n");
      expect(text).toMatch(/asked abort\n/);
    });

    test("is followed no longer than its host is there, and a claim of nothing is told", async () => {
      const { first } = begin("exec sleep 600");
      await first;
      const follower = follow(join(root, "one"));
      follower.child.stdin?.end();
      expect(await follower.over).toEqual([0, null]);
      expect(await follower.told).not.toContain("over\n");
      const last = follow(join(root, "one"));
      last.child.stdin?.write("end\n");
      expect(await last.told).toContain("over\n");
      expect(await follow(root, "--claim", "none").told).toBe("none\n");
      expect(await follow(join(root, "absent")).told).toBe("none\n");
    });
  });

async function textUntil(stream: NodeJS.ReadableStream | null, end: string | undefined): Promise<string> {
  let text = "";
  for await (const bytes of stream ?? []) {
    text += Buffer.from(bytes as Uint8Array).toString("latin1");
    if (end !== undefined && text.endsWith(end)) break;
  }
  return text;
}
