import { expect, test } from "vitest";
import { streamedCommand } from "../src/stream/streamed-command.js";

/** A command with an input. `sent` lists the frames that its host has sent. */
function command() {
  const sent: { kind: string; bytes: number }[] = [];
  const { write, take } = streamedCommand(
    { arguments: [], inputs: [0], onBytes: () => undefined },
    (kind, ...parts) =>
      void sent.push({ kind, bytes: parts.reduce((sum, part) => sum + part.byteLength, 0) }),
  );
  const writing = (bytes: number) => {
    const state = { is: "waiting", details: undefined as unknown };
    write(0, Buffer.alloc(bytes)).then(
      () => {
        state.is = "written";
      },
      (error) => {
        state.is = error.code;
        state.details = error.details;
      },
    );
    return state;
  };
  const taken = async (bytes?: number) => {
    const number = Buffer.alloc(bytes === undefined ? 0 : 4);
    if (bytes !== undefined) number.writeUInt32LE(bytes);
    await take({ kind: "A", channel: 1, bytes: Buffer.concat([Uint8Array.of(0), number]) });
  };
  return { sent, writing, taken, take };
}

test("a write settles when the command has taken its last byte, and not when it was sent", async () => {
  const { writing, taken } = command();
  const [first, second] = [writing(10), writing(5)];
  await taken(9);
  expect([first.is, second.is]).toEqual(["waiting", "waiting"]);
  await taken(1);
  await expect.poll(() => [first.is, second.is]).toEqual(["written", "waiting"]);
  await taken(5);
  await expect.poll(() => second.is).toBe("written");
});

test("at most 64 KiB are sent before the command takes any, and the rest is sent as it takes them", async () => {
  const { sent, writing, taken } = command();
  const one = writing(100_000);
  const data = () => sent.filter(({ kind }) => kind === "D").map(({ bytes }) => bytes - 1);
  expect(data()).toEqual([65_536]);
  await taken(30_000);
  expect(data()).toEqual([65_536, 30_000]);
  await taken(65_536);
  await taken(4464);
  await expect.poll(() => one.is).toBe("written");
  expect(data().reduce((sum, bytes) => sum + bytes, 0)).toBe(100_000);
});

test("if the connection ends, writes that the command has not taken fail as lost, and later writes do too", async () => {
  const { writing, taken, take } = command();
  const [first, second, waiting] = [writing(10), writing(20), writing(100_000)];
  await taken(10);
  await take(undefined);
  const lost = { connection: "lost" };
  await expect.poll(() => waiting.is).toBe("CLOSED");
  expect([first.is, second.is, second.details, waiting.details]).toEqual(["written", "CLOSED", lost, lost]);
  const late = writing(1);
  await expect.poll(() => late.details).toEqual(lost);
});

test("if the command has stopped reading or has ended, writes fail, but not as lost", async () => {
  for (const ends of ["reads no more", "has ended"]) {
    const { writing, taken, take } = command();
    const one = writing(10);
    if (ends === "has ended") await take({ kind: "E", channel: 1, bytes: Uint8Array.of(0, 0) });
    else await taken();
    await expect.poll(() => one.is).toBe("CLOSED");
    expect(one.details).toEqual({});
  }
});
