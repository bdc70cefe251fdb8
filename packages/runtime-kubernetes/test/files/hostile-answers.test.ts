import { expect, test } from "vitest";
import { withinMemory } from "../../../../test/memory/within-memory.js";
import type { PodExec } from "../../src/cluster/pod-exec.js";
import { type FileSession, fileSession } from "../../src/files/file-session.js";
import type { FileSessions } from "../../src/files/file-sessions.js";
import { workspaceFiles } from "../../src/files/workspace-files.js";

const MEBIBYTE = 1024 * 1024;

test("names that lead out, or are no text, are no files: they are shown, and cannot be read (KUBE-58)", async () => {
  const names = ["../../evil", "/abs/evil", "out/../../evil", "out/a", Buffer.from("out/\xff", "latin1")];
  const files = filesFrom([frame("l", Buffer.concat(names.map(entry))), frame("o")]);
  const found = await files.list("out", {});
  expect(Object.fromEntries(found.map(({ path, kind }) => [path, kind]))).toEqual({
    "../../evil": "special",
    "/abs/evil": "special",
    "out/../../evil": "special",
    "out/\\xff": "special",
    "out/a": "file",
  });
});

test("content of another digest, or that ends early, is an error and not a file (KUBE-59)", async () => {
  const head = [frame("s"), frame("d", Buffer.from("abc"))];
  await expect(readAll(filesFrom([...head, frame("e", Buffer.from("0".repeat(64)))]))).rejects.toMatchObject({
    code: "BACKEND_FAILED",
  });
  await expect(readAll(filesFrom(head))).rejects.toMatchObject({ code: "BACKEND_FAILED" });
  await expect(
    readAll(filesFrom([...head.slice(0, 1), frame("d", Buffer.from("abc")).subarray(0, 6)])),
  ).rejects.toMatchObject({ code: "BACKEND_FAILED" });
});

test("an answer that announces 4 GiB is refused before it is held (KUBE-69)", async () => {
  const head = Buffer.alloc(5, 0xff);
  async function* endless() {
    yield frame("o");
    yield head;
    for (;;) yield Buffer.alloc(MEBIBYTE);
  }
  await withinMemory(16 * MEBIBYTE, async () => {
    await expect(workspaceFiles(sessionsOf(endless())).list("out", {})).rejects.toMatchObject({
      code: "BACKEND_FAILED",
      message: expect.stringContaining("image of the supervisor"),
    });
  });
});

async function readAll(files: ReturnType<typeof filesFrom>): Promise<void> {
  for await (const _ of await files.get("out/a", {}));
}

/** A fake supervisor, which gives this answer to every request. */
function filesFrom(answers: readonly Uint8Array[]) {
  async function* output() {
    yield frame("o");
    yield* answers;
  }
  return workspaceFiles(sessionsOf(output()));
}

function sessionsOf(output: AsyncIterable<Uint8Array>): FileSessions {
  const exec: PodExec = {
    output,
    errors: () => "",
    write: async () => undefined,
    isOpen: () => true,
    close: () => undefined,
    inUse: () => undefined,
  };
  const take = () => fileSession(exec);
  const use = async <T>(work: (session: FileSession) => Promise<T>) => await work(await take());
  return { take, use, giveBack: () => undefined, prepare: () => undefined, close: () => undefined };
}

function frame(kind: string, bytes: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32LE(bytes.byteLength + 1, 0);
  head.write(kind, 4, "latin1");
  return Buffer.concat([head, bytes]);
}

function entry(name: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from("f 1 0 0 0 0 33188 1 1 1 "), Buffer.from(name), Buffer.of(0)]);
}
