import { expect, test } from "vitest";
import { copyOf } from "../src/copy-of.js";

test("a copy has all of a value and shares nothing with it", () => {
  const value = {
    ...{ text: "a", number: 1, nothing: null, missing: undefined, list: [1, { inner: ["x"] }] },
    ...{ bytes: Uint8Array.of(1, 2), date: new Date(3), ...JSON.parse('{"__proto__": {"own": true}}') },
  };
  const copy = copyOf(value);
  expect(copy).toStrictEqual(value);
  expect(Object.hasOwn(copyOf(JSON.parse('{"__proto__": 1}')), "__proto__")).toBe(true);
  expect(copy.list).not.toBe(value.list);
  expect(copy.list[1]).not.toBe(value.list[1]);
  expect(copy.bytes).not.toBe(value.bytes);
  expect(copyOf(undefined)).toBeUndefined();
});
