import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";

const program = fileURLToPath(new URL("stores/children/ceph-owner.mjs", import.meta.url));

if (hasAll("an S3 server"))
  describe("the S3 server of the tests", () => {
    it("leaves no process and no directory after it is stopped", async () => {
      const { owner, left, endpoint } = startOwner();
      expect((await fetch(await endpoint())).status).toBe(200);
      expect(left().length).toBeGreaterThan(3);
      owner.stdin.end("stop\n");
      expect(await once(owner, "exit")).toEqual([0, null]);
      expect(left()).toEqual([]);
    });

    it.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)(
      "leaves none after the process that started it ends with %s",
      async (signal) => {
        const { owner, left, endpoint } = startOwner();
        await endpoint();
        owner.kill(signal);
        await expect.poll(left).toEqual([]);
      },
    );

    it("leaves nothing if it cannot be started completely, and reports the reason", async () => {
      const { owner, left, directory } = startOwner({ broken: "radosgw" });
      let told = "";
      owner.stderr.on("data", (data: Buffer) => {
        told += data.toString();
      });
      const [code] = await once(owner, "exit");
      expect(code).toBe(1);
      expect(told).toContain("radosgw");
      expect(left().filter((path) => path !== join(directory, "programs"))).toEqual([]);
    });
  });

interface Owner {
  readonly owner: ChildProcessByStdio<Writable, Readable, Readable>;
  /** The directory of its temporary files. */
  readonly directory: string;
  /** The remains of the server: directories, and processes that name them. */
  left(): string[];
  endpoint(): Promise<string>;
}

/** Starts a process that starts a server in its own temporary directory; `broken` names a program that fails there. */
function startOwner({ broken }: { readonly broken?: string } = {}): Owner {
  const directory = mkdtempSync(join(tmpdir(), "c-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const programs = join(directory, "programs");
  if (broken) mkdirSync(programs);
  if (broken) symlinkSync("/bin/false", join(programs, broken));
  const owner = spawn(process.execPath, [program], {
    env: { ...process.env, TMPDIR: directory, PATH: `${programs}:${process.env["PATH"]}` },
    stdio: ["pipe", "pipe", "pipe"],
  });
  onTestFinished(() => void owner.kill("SIGKILL"));
  const left = (): string[] => [
    ...readdirSync(directory).map((name) => join(directory, name)),
    ...commandLines().filter((line) => line.includes(`${directory}/`)),
  ];
  return {
    owner,
    directory,
    left,
    async endpoint() {
      const [line] = await once(owner.stdout, "data");
      return String(line).trim();
    },
  };
}

function commandLines(): string[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      } catch {
        return ""; // It has ended.
      }
    });
}
