import { expect, test } from "vitest";
import { threadTime } from "../../../../test/timing/thread-time.js";
import { PatternAutomaton } from "../../src/runtime/pattern-automaton.js";
import { StreamMasker } from "../../src/runtime/stream-masker.js";

function masker(...patterns: string[]): StreamMasker {
  return new StreamMasker(
    new PatternAutomaton(patterns.map((pattern) => Buffer.from(pattern))),
    Buffer.from("***"),
  );
}

/** The whole output, and the part emitted before the end. */
function masked(patterns: readonly string[], ...pieces: readonly (string | Uint8Array)[]) {
  const one = masker(...patterns);
  const early = Buffer.concat(pieces.map((piece) => Buffer.from(one.append(Buffer.from(piece)))));
  return { early: early.toString("latin1"), all: Buffer.concat([early, one.end()]).toString("latin1") };
}

test("SECR-01: a secret is masked however it is split into pieces", () => {
  for (let cut = 0; cut <= 20; cut++) {
    const text = "key=sk-0123456789; x";
    expect(masked(["sk-0123456789"], text.slice(0, cut), text.slice(cut)).all).toBe("key=***; x");
  }
  expect(masked(["secret"], ..."a secret, secretsecret").all).toBe("a ***, ******");
});

test("holds back only what may still become a secret", () => {
  expect(masked(["secret"], "no sec").early).toBe("no ");
  expect(masked(["secret"], "no sec", "ond").early).toBe("no second");
  expect(masked(["secret"], "a secret").early).toBe("a ***");
  expect(masked(["secret"], "no sec")).toEqual({ early: "no ", all: "no sec" });
});

test("secrets that overlap, touch or contain one another are masked completely", () => {
  expect(masked(["abcd", "cdef"], "xabcdefx").all).toBe("x***x");
  expect(masked(["ab", "cd", "abcdx"], "abcdx abcdy").all).toBe("*** ******y");
  expect(masked(["abab"], "abababab!").all).toBe("***!");
  expect(masked(["abcd", "bc"], "abcabcd").all).toBe("a******");
});

test("works on any bytes, not only text", () => {
  const secret = Buffer.from([0, 0xff, 0xc3, 0]);
  const one = new StreamMasker(new PatternAutomaton([secret]), Buffer.from("***"));
  const out = Buffer.concat([one.append(Buffer.concat([Buffer.from([0xff, 0]), secret])), one.end()]);
  expect([...out]).toEqual([0xff, 0, 0x2a, 0x2a, 0x2a]);
});

/** The same result, computed by checking every position. */
function slowly(patterns: readonly string[], text: string): string {
  const hidden = new Array<boolean>(text.length).fill(false);
  const starts = new Set<number>();
  for (const pattern of patterns)
    for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) {
      starts.add(at);
      hidden.fill(true, at, at + pattern.length);
    }
  let out = "";
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    if (!hidden[at]) out += text[at];
    // A new mask where no earlier match overlaps.
    else if (at >= end) out += "***";
    for (const pattern of patterns)
      if (starts.has(at) && text.startsWith(pattern, at)) end = Math.max(end, at + pattern.length);
  }
  return out;
}

test("thousands of random texts in random pieces give the same result as checking every position", () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const word = (length: number) => Array.from({ length }, () => "abc"[random(3)]).join("");
  for (let round = 0; round < 3000; round++) {
    const patterns = Array.from({ length: 1 + random(4) }, () => word(1 + random(5)));
    const text = word(random(60));
    const pieces: string[] = [];
    for (let at = 0; at < text.length; ) {
      const size = 1 + random(9);
      pieces.push(text.slice(at, at + size));
      at += size;
    }
    expect({ patterns, text, all: masked(patterns, ...pieces).all }).toEqual({
      patterns,
      text,
      all: slowly(patterns, text),
    });
  }
});

test("a stream that nearly matches all the time, and one that always does, take linear time and little memory", () => {
  const secret = `${"a".repeat(10_000)}b`;
  const one = masker(secret, "cccc");
  const almost = Buffer.alloc(1_000_000, "a");
  const always = Buffer.alloc(1_000_000, "c");
  const started = threadTime();
  let out = 0;
  for (let round = 0; round < 8; round++) {
    out += one.append(almost).byteLength;
    expect(one.append(always).byteLength).toBeLessThan(11_000);
  }
  expect(threadTime() - started).toBeLessThan(5000);
  expect(out).toBeGreaterThan(7_000_000);
});
