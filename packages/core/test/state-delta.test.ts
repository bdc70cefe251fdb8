import { expect, test } from "vitest";
import { applyStateDeltas, SKILL_STATE_KEYS, type StateDelta } from "../src/index.js";

test("deltas apply in the order of the calls: the last one to name a key wins", () => {
  const first: StateDelta = { a: 1, b: 1 };
  const second: StateDelta = { b: 2, c: 2 };
  expect(applyStateDeltas({ z: 0 }, [first, second])).toEqual({ z: 0, a: 1, b: 2, c: 2 });
  expect(applyStateDeltas({ z: 0 }, [second, first])).toEqual({ z: 0, a: 1, b: 1, c: 2 });
});

test("null removes a key, and a later delta may set it again", () => {
  const removed = applyStateDeltas({ a: 1, b: 1 }, [{ a: null, missing: null }]);
  expect(removed).toEqual({ b: 1 });
  expect("a" in removed).toBe(false);
  expect(applyStateDeltas({ a: 1 }, [{ a: null }, { a: 2 }])).toEqual({ a: 2 });
  expect(applyStateDeltas({ a: 1 }, [{ a: 2 }, { a: null }])).toEqual({});
});

test("values are replaced, not merged", () => {
  expect(applyStateDeltas({ a: { x: 1 } }, [{ a: { y: 2 } }])).toEqual({ a: { y: 2 } });
});

test("the given state is not changed, even when nothing changes", () => {
  const state = Object.freeze({ a: 1 });
  expect(applyStateDeltas(state, [Object.freeze({ a: 2 })])).toEqual({ a: 2 });
  expect(applyStateDeltas(state, [])).not.toBe(state);
  expect(state).toEqual({ a: 1 });
});

test("a key such as __proto__ is a key", () => {
  const next = applyStateDeltas({}, [JSON.parse('{"__proto__":{"polluted":true}}') as StateDelta]);
  expect(Object.keys(next)).toEqual(["__proto__"]);
  expect(Reflect.get({}, "polluted")).toBeUndefined();
});

test("a skill's loads are stored under the session state's keys", () => {
  expect(SKILL_STATE_KEYS.loaded("pdf")).toBe("temp:skill:loaded:pdf");
  expect(SKILL_STATE_KEYS.documents("pdf")).toBe("temp:skill:docs:pdf");
});

test("the agents of one session have separate keys, whatever their names contain", () => {
  expect(SKILL_STATE_KEYS.loaded("pdf", "writer")).toBe("temp:skill:loaded_by_agent:writer/pdf");
  expect(SKILL_STATE_KEYS.loaded("b/pdf", "a")).not.toBe(SKILL_STATE_KEYS.loaded("pdf", "a/b"));
  expect(SKILL_STATE_KEYS.documents("pdf", "writer")).not.toBe(SKILL_STATE_KEYS.documents("pdf", "editor"));
});
