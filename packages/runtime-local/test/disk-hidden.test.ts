import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunLimits } from "@skillwright/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { localSubject } from "./local-subject.js";
import { canBeOrdinary, runAsOrdinaryUser } from "./ordinary-user.js";
import { ownDisk } from "./own-disk.js";
import { runText } from "./running.js";

const MEBIBYTE = 1024 * 1024;

/** The beginning of each program. `fill` writes to a file; the file `taken` contains how much was written so far. */
const BEGIN = `
import array, ctypes, os, socket, threading
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
taken = os.open('taken', os.O_RDWR | os.O_CREAT)
count = 0
def took(more):
    global count
    count += more
    os.pwrite(taken, b'%d ' % count, 0)
def fill(fd):
    for _ in range(8):
        os.write(fd, bytes(1 << 20))
        took(1 << 20)
def removed():
    fd = os.open('f', os.O_RDWR | os.O_CREAT)
    os.unlink('f')
    return fd
def pair(): return socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
def send(to, fd): to.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [fd]))])
`;

const HIDING: [what: string, program: string][] = [
  [
    "that are only mapped",
    `
for _ in range(80):
    fd = removed()
    os.ftruncate(fd, 8 << 20)
    at = libc.mmap(None, 8 << 20, 3, 1, fd, 0)
    os.close(fd)
    for n in range(8):
        ctypes.memset(at + (n << 20), 1, 1 << 20)
        took(1 << 20)`,
  ],
  [
    "of which one page is mapped",
    `
for _ in range(80):
    fd = removed()
    libc.mmap(None, 4096, 1, 2, fd, 0)
    fill(fd)
    os.close(fd)`,
  ],
  [
    "that are passed through a socket",
    `
pairs = []
for _ in range(80):
    pairs.append(pair())
    fd = removed()
    send(pairs[-1][0], fd)
    fill(fd)
    os.close(fd)`,
  ],
  [
    "that are passed through a socket that is itself passed through one",
    `
kept = []
for _ in range(80):
    outer, inner = pair(), pair()
    fd = removed()
    send(inner[0], fd)
    send(outer[0], inner[1].fileno())
    for one in inner: one.close()
    kept.append(outer)
    fill(fd)
    os.close(fd)`,
  ],
  [
    "of a process whose first thread has ended",
    `
def work():
    for _ in range(80): fill(removed())
    os._exit(0)
threading.Thread(target=work).start()
libc.pthread_exit(None)`,
  ],
  [
    "of a thread that has descriptors of its own",
    `
def work():
    if libc.unshare(0x400) == 0:
        for _ in range(80): fill(removed())
thread = threading.Thread(target=work)
thread.start()
thread.join()`,
  ],
];

if (hasAll("bubblewrap", "python3", "supervisor"))
  describe("a run that takes space out of sight", () => {
    test.each(HIDING)("RES-02: takes at most twice the limit with removed files %s", async (_, program) => {
      const limit = 64 * MEBIBYTE;
      const { taken, codes, exitCode } = await run(program, { diskBytes: limit });
      expect(taken).toBeGreaterThan(0);
      expect(taken).toBeLessThanOrEqual(2 * limit);
      expect([exitCode, codes]).toEqual([137, expect.arrayContaining(["limit.diskBytes-reached"])]);
    });

    test("RES-02: takes at most twice the limit of files if it keeps removed files open", async () => {
      const program = `
import resource
most = min(30000, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
for _ in range(most - 20):
    removed()
    took(1)`;
      const { taken, codes, exitCode } = await run(program, { inodes: 2000 });
      expect(taken).toBeGreaterThan(0);
      expect(taken).toBeLessThanOrEqual(4000);
      expect([exitCode, codes]).toEqual([137, expect.arrayContaining(["limit.inodes-reached"])]);
    });

    test("is not ended because of space that other processes take meanwhile", async () => {
      const { workspace, root } = await workspaceOnDisk();
      const handle = await workspace.start({
        ...{ runId: "r", cwd: "work", env: {}, timeoutMs: 120_000, maxOutputBytes: 1000, interactive: true },
        ...{ command: "echo begun; read line; echo $line", limits: { diskBytes: 64 * MEBIBYTE } },
      });
      for await (const { stream } of handle.output()) if (stream === "stdout") break;
      for (let index = 0; index < 50; index++)
        writeFileSync(join(root, `others-${index}`), Buffer.alloc(4 * MEBIBYTE, 1));
      await handle.write(Buffer.from("on\n"));
      const { exitCode, stdout } = await handle.result;
      expect([exitCode, stdout.text]).toEqual([0, "begun\non\n"]);
    });
  });

if (hasAll("bubblewrap", "python3", "supervisor", "packages/runtime-local/dist") && (await canBeOrdinary()))
  test("RES-02: a run takes at most twice the limit with removed files that are only mapped where the host is not root", async () => {
    const program = HIDING.find(([name]) => name === "that are only mapped")?.[1];
    const limits = { diskBytes: 64 * MEBIBYTE };
    const command = `cd work; python3 - <<'E'\n${BEGIN.replace("os.pwrite(taken, b'%d ' % count, 0)", "os.write(1, b'%d\\n' % count)")}${program}\nE`;
    const { stdout, exitCode } = await runAsOrdinaryUser("sandbox", command, {
      limits,
      below: ownDisk(),
    });
    const taken = Number(stdout.text.trim().split("\n").at(-1));
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThanOrEqual(2 * limits.diskBytes);
    expect(exitCode).toBe(137);
  });

async function run(program: string, limits: RunLimits) {
  const { workspace, root } = await workspaceOnDisk();
  const command = `cd work; python3 - <<'E'\n${BEGIN}${program}\nE`;
  const { exitCode, diagnostics } = await runText(workspace, command, { limits });
  const taken = Number.parseInt(readFileSync(join(root, "w1/tree/work/taken"), "latin1"), 10);
  return { taken, exitCode, codes: diagnostics.map(({ code }) => code) };
}

async function workspaceOnDisk() {
  const { runtime, root, dispose } = await localSubject("sandbox", ownDisk());
  onTestFinished(dispose);
  return { workspace: await runtime.create("w1"), root };
}
