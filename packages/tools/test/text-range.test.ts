import { byteStream } from "@skillwright/core";
import { expect, test } from "vitest";
import { textRange } from "../src/text-range.js";

async function partsOf(text: string, atMost: number): Promise<readonly string[]> {
  const parts: string[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const part = await textRange(byteStream(text), offset, atMost);
    expect(part.binary).toBe(false);
    parts.push(part.text);
    offset = part.nextOffset;
  }
  return parts;
}

test.each(["a", "é", "€", "😀", "aé€😀"])(
  "a text of %s read in parts is complete, in parts as long as possible",
  async (unit) => {
    const text = unit.repeat(12);
    const longest = Math.max(...Array.from(unit, (character) => Buffer.byteLength(character)));
    for (let atMost = 4; atMost < 20; atMost++) {
      const parts = await partsOf(text, atMost);
      expect(parts.join("")).toBe(text);
      const sizes = parts.map((part) => Buffer.byteLength(part));
      expect(Math.max(...sizes)).toBeLessThanOrEqual(atMost);
      expect(Math.min(...sizes.slice(0, -1), atMost)).toBeGreaterThan(atMost - longest);
    }
  },
);
