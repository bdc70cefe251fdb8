import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { times } from "../../../test/full-form.js";
import { hasAll } from "../../../test/needs/has-all.js";
import { cliFixture } from "./cli-fixture.js";
import { servedProcess } from "./served-process.js";

const MIB = 1024 ** 2;
/** The largest upload of a server by default, 2 GiB. */
const SIZE = times(2048, 320 / 2048) * MIB;
/** Of either form, so that it does not grow with the upload. */
const MOST = 288 * MIB;

if (process.platform === "linux" && hasAll("packages/cli/dist", "packages/server/dist"))
  test.each(["PUT", "POST"])(
    "SERVE-41: an upload of hundreds of MiB passes in constant memory: %s",
    async (method) => {
      const root = "workspaces";
      const agent = { sandbox: { root, isolation: "none" } };
      const fixture = await cliFixture({
        "home/.skillwright/skillwright.config.json": JSON.stringify({ agent }),
      });
      const served = await servedProcess(fixture);
      await served.ask("/conversations", { id: "one" });
      const path = `${served.address}/conversations/one/uploads${method === "PUT" ? "/large.bin" : ""}`;
      const headers = { authorization: `Bearer ${served.token}` };
      const small = await upload(path, method, headers, MIB);
      expect(small.status).toBe(201);
      const before = await peakOf(served.pid);
      // A form has more bytes than its file.
      const size = method === "PUT" ? SIZE : SIZE - MIB;
      const answer = await upload(path, method, headers, size);
      expect([answer.status, await answer.text()]).toEqual([201, expect.stringContaining(`"size":${size}`)]);
      expect((await peakOf(served.pid)) - before).toBeLessThan(MOST);
    },
  );

/** The most memory that the process has had, in bytes. */
async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

async function upload(path: string, method: string, headers: Record<string, string>, size: number) {
  const isForm = method === "POST";
  const body = ReadableStream.from(pieces(size, isForm));
  const type = isForm ? "multipart/form-data; boundary=edge" : "application/octet-stream";
  return await fetch(path, {
    ...{ method, body, duplex: "half" },
    headers: { ...headers, "content-type": type },
  } as RequestInit);
}

function* pieces(size: number, isForm: boolean): Generator<Uint8Array> {
  const text = new TextEncoder();
  if (isForm)
    yield text.encode('--edge\r\ncontent-disposition: form-data; name="f"; filename="large.bin"\r\n\r\n');
  const piece = new Uint8Array(MIB).fill(120);
  for (let left = size; left > 0; left -= MIB) yield piece;
  if (isForm) yield text.encode("\r\n--edge--\r\n");
}
