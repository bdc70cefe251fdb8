import { expect, test } from "vitest";
import { ownLines } from "../../src/run/own-lines.js";

const MARK = Buffer.from("\u001eskillwright 0123 ");

function passed(text: string, size: number): { out: string; line: string | undefined; live: string } {
  const own = ownLines(MARK);
  const all = Buffer.from(text, "latin1");
  let live = "";
  for (let at = 0; at < all.byteLength; at += size)
    live += Buffer.from(own.pass(all.subarray(at, at + size))).toString("latin1");
  const { bytes, line } = own.end();
  return { out: live + Buffer.from(bytes).toString("latin1"), line, live };
}

test("the wrapper's last line is removed, however it is split", () => {
  for (const size of [1, 2, 5, 13, 1000]) {
    const { out, line } = passed(`some output\n${MARK}counted 1 0\n`, size);
    expect([out, line], `by ${size}`).toEqual(["some output\n", "counted 1 0"]);
  }
});

test("a similar line stays in the output, every byte of it", () => {
  const texts = [
    `${MARK}counted 1 0\nand more`,
    `ends with the mark ${MARK}`,
    `a long one ${MARK}${"x".repeat(500)}\n`,
    `two lines ${MARK}a\nb\n`,
    `half a mark \u001eskill`,
    "\u001e".repeat(100),
  ];
  for (const text of texts)
    for (const size of [1, 7, 1000]) expect(passed(text, size)).toMatchObject({ out: text, line: undefined });
});

test("nothing else is held back", () => {
  expect(passed("password: ", 1).live).toBe("password: ");
});
