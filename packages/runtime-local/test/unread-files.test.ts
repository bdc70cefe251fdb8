import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { Readable } from "node:stream";
import { type ByteStream, type RuntimeWorkspace, readText } from "@skillwright/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { localSubject } from "./local-subject.js";

const DESCRIPTORS = "/proc/self/fd";
const SIZES = { small: 1000, large: 2 * 1024 * 1024 } as const;

if (existsSync(DESCRIPTORS))
  describe("a file that was requested and is not read to its end holds no descriptor", () => {
    let subject: Awaited<ReturnType<typeof localSubject>>;
    let workspace: RuntimeWorkspace;

    beforeAll(async () => {
      subject = await localSubject("none");
      workspace = await subject.runtime.create("w1");
      for (const [name, size] of Object.entries(SIZES))
        await workspace.put([{ path: `out/${name}`, content: "x".repeat(size) }]);
    });

    afterAll(() => subject.dispose());

    for (const [name, size] of Object.entries(SIZES)) {
      const path = `out/${name}`;

      test(`when nobody reads a ${name} one`, async () => {
        const unread: ByteStream[] = [];
        for (let count = 0; count < 20; count++) unread.push(await workspace.get(path));
        expect(openBelow(subject.root)).toEqual([]);
        expect((await readText(unread[0] ?? "", size)).length).toBe(size);
        expect(openBelow(subject.root)).toEqual([]);
      });

      test(`when the reader of a ${name} one is destroyed before its first read`, async () => {
        const reader = Readable.from(await workspace.get(path));
        const closed = new Promise((resolve) => reader.once("close", resolve));
        reader.destroy();
        await closed;
        expect(openBelow(subject.root)).toEqual([]);
      });

      test(`when a loop over a ${name} one ends with its first piece`, async () => {
        for await (const piece of await workspace.get(path)) {
          expect(piece.byteLength).toBeGreaterThan(0);
          break;
        }
        await expect.poll(() => openBelow(subject.root)).toEqual([]);
      });
    }
  });

/** This process's open descriptors there. */
function openBelow(directory: string): string[] {
  return readdirSync(DESCRIPTORS).flatMap((descriptor) => {
    try {
      const target = readlinkSync(`${DESCRIPTORS}/${descriptor}`);
      return target.startsWith(`${directory}/`) && target.includes("/out/") ? [target] : [];
    } catch {
      return [];
    }
  });
}
