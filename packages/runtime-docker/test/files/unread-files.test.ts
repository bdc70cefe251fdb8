import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { ByteStream } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { workspaceFiles } from "../../src/files/workspace-files.js";
import { containerPlace } from "../container/container-place.js";
import { engines } from "../engine-setup/engines.js";
import { survivors } from "../run/invariants.js";

describe.each(await engines())("a download, on $name", (engine) => {
  test.each([
    ["small", 1000],
    ["large", 3_000_000],
  ])("of a %s file that nobody reads leaves nothing running, and can be read later", async (_, size) => {
    await using place = await containerPlace(engine);
    const container = await place.make("w");
    const files = workspaceFiles(container);
    await files.put([{ path: "work/f", content: Buffer.alloc(size, "a") }]);
    const unread: ByteStream[] = [];
    for (let count = 0; count < 5; count++) unread.push(await files.get("work/f"));
    const running = async () => await survivors({ container });
    expect(await running()).toEqual([]);
    Readable.from(unread[0] as ByteStream).destroy();
    expect((await buffer(unread[1] as ByteStream)).equals(Buffer.alloc(size, "a"))).toBe(true);
    for await (const _ of unread[2] as ByteStream) break;
    await expect.poll(running, { timeout: 180_000 }).toEqual([]);
  });

  test("reading a large file that was removed after it was opened fails with an error that says so", async () => {
    await using place = await containerPlace(engine);
    const files = workspaceFiles(await place.make("w"));
    await files.put([{ path: "work/f", content: Buffer.alloc(1_000_000) }]);
    const content = await files.get("work/f");
    await files.remove("work/f");
    await expect(buffer(content)).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
  });
});
