import { Readable } from "node:stream";
import { readBytes } from "@skillwright/core";
import { expect, test } from "vitest";
import { spool } from "../src/upload/spool.js";

test("a stream of texts is stored as UTF-8, with the size in bytes", async () => {
  const texts = Readable.from(["é", "a\n", "漢"]) as unknown as AsyncIterable<Uint8Array>;
  await using spooled = await spool(texts, undefined);
  const content = spooled.open();
  const bytes = content instanceof Uint8Array ? content : await readBytes(content, 100);
  expect([spooled.size, Buffer.from(bytes).toString("utf8")]).toEqual([7, "éa\n漢"]);
});
