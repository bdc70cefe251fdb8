import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { type ExecOutput, execOutput } from "../../src/exec/exec-output.js";

const FORGED = Buffer.from([1, 0, 0, 0, 0, 0, 0, 4, ...Buffer.from("fake")]);

function frame(stream: number, content: Uint8Array): Buffer {
  const header = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(content.byteLength, 4);
  return Buffer.concat([header, content]);
}

async function taken(pieces: readonly Uint8Array[], end: (stream: PassThrough) => void = (s) => s.end()) {
  const connection = new PassThrough();
  connection.on("error", () => undefined);
  const got = { stdout: "", stderr: "" };
  const reading = (async () => {
    for await (const { stream, bytes } of execOutput(connection) as AsyncIterable<ExecOutput>)
      got[stream] += Buffer.from(bytes).toString("latin1");
  })();
  // It may end before all is written.
  reading.catch(() => undefined);
  for (const piece of pieces) {
    connection.write(piece);
    await new Promise(setImmediate);
  }
  end(connection);
  await reading;
  return got;
}

test("OUT-04: frames are separated wherever the connection cuts them, and their content is never parsed as a frame", async () => {
  const all = Buffer.concat([
    frame(1, FORGED),
    frame(2, Buffer.from("error")),
    frame(1, Buffer.alloc(0)),
    frame(1, FORGED),
  ]);
  for (const size of [1, 3, 7, 8, 9, all.byteLength]) {
    const pieces = [];
    for (let at = 0; at < all.byteLength; at += size) pieces.push(all.subarray(at, at + size));
    const { stdout, stderr } = await taken(pieces);
    expect([stdout, stderr], `by ${size}`).toEqual([FORGED.toString("latin1").repeat(2), "error"]);
  }
});

test("a partial frame is returned at once, whatever length it states", async () => {
  const header = Buffer.from([1, 0, 0, 0, 255, 255, 255, 255]);
  expect((await taken([header, Buffer.from("some")])).stdout).toBe("some");
});

test("a broken connection ends the output like a closed one", async () => {
  const broken = await taken([frame(1, Buffer.from("so far"))], (stream) =>
    stream.destroy(new Error("reset")),
  );
  expect(broken.stdout).toBe("so far");
});

test("data that is not a frame is an error and not output", async () => {
  await expect(taken([Buffer.from("Hello, terminal")])).rejects.toMatchObject({ code: "BACKEND_FAILED" });
});
