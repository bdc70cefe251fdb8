import { describe, expect, test } from "vitest";
import { startedOutput } from "../src/interactive/started-output.js";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("the output of a started run", () => {
  test("is read by offset, cut at whole characters", () => {
    const output = startedOutput(100);
    output.append(bytes("aé"));
    output.append(bytes("ü"));
    expect(output.read(0, 2)).toEqual({ text: "a", from: 0, to: 1 });
    expect(output.read(1, 2)).toEqual({ text: "é", from: 1, to: 3 });
    expect(output.read(1, 1).to).toBe(2);
    expect(output.read(3, 9)).toEqual({ text: "ü", from: 3, to: 5 });
    expect(output.read(99, 9)).toEqual({ text: "", from: 5, to: 5 });
  });

  test("waits for the rest of a character that arrived partially", () => {
    const output = startedOutput(100);
    output.append(bytes("aé").subarray(0, 2));
    expect(output.read(0, 9)).toEqual({ text: "a", from: 0, to: 1 });
    output.append(bytes("é").subarray(1));
    expect(output.read(1, 9)).toEqual({ text: "é", from: 1, to: 3 });
  });

  test.each([1, 7, 64, 100, 1000])(
    "keeps the end of pieces of %i bytes, and reports where it begins",
    (size) => {
      const output = startedOutput(100);
      const all = Array.from({ length: 5000 }, (_, index) => index % 10).join("");
      for (let at = 0; at < all.length; at += size) output.append(bytes(all.slice(at, at + size)));
      const read = output.read(0, 10_000);
      expect(read.text).toBe(all.slice(read.from));
      expect(read.text.length).toBeGreaterThanOrEqual(100);
      expect(output.size()).toBe(5000);
    },
  );

  test("returns the last incomplete line", () => {
    const output = startedOutput(100);
    output.append(bytes("first\nName? "));
    expect(output.lastLine()).toBe("Name? ");
    output.append(bytes("Ada\n"));
    expect(output.lastLine()).toBe("");
  });

  test("wakes waiting readers, and only on new output", async () => {
    const output = startedOutput(100);
    expect(await output.changed(5)).toBe(false);
    const waiting = output.changed(60_000);
    output.append(bytes("x"));
    expect(await waiting).toBe(true);
    const leaving = new AbortController();
    const left = output.changed(60_000, leaving.signal);
    leaving.abort();
    expect(await left).toBe(false);
  });
});
