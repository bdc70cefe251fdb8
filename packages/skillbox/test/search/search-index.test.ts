import type { CatalogSkill } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { searchIndex } from "../../src/search/search-index.js";
import { turnTaking } from "../../src/turn-taking.js";

const skill = (name: string, description = "Does things."): CatalogSkill =>
  ({ name, description, source: "own", path: name, changeMark: "1" }) as CatalogSkill;

describe("the index", () => {
  test("returns the best up to a limit, equal ones by name, none for a limit of 0", () => {
    const { index, shown } = filled(["delta", "bravo", "alpha", "charlie"].map((name) => [name, "pie"]));
    expect(names(index.search("pie", shown, 3))).toEqual(["alpha", "bravo", "charlie"]);
    expect(names(index.search("pie", shown, 10))).toEqual(["alpha", "bravo", "charlie", "delta"]);
    expect(index.search("pie", shown, 0)).toEqual([]);
  });

  test("a word of the name weighs more than every 25th of another's body, however long its own body is", () => {
    const bodyWith = (every: number): string =>
      Array.from({ length: 5000 }, (_, at) => (at % every === 0 ? "turbine" : `word${at}`)).join(" ");
    const { index, shown } = filled([
      ["a-body-of-it", bodyWith(2)],
      ["turbine-check", bodyWith(10_000)],
      ["other", bodyWith(25)],
    ]);
    expect(names(index.search("turbine", shown, 3))).toEqual(["a-body-of-it", "turbine-check", "other"]);
  });

  test("a rare word counts more than a common one", () => {
    const common = Array.from({ length: 20 }, (_, at) => [`common-${at}`, "Report report report."] as const);
    const { index, shown } = filled([...common, ["rare", "Report on turbines and much else besides."]]);
    expect(names(index.search("report turbine", shown, 1))).toEqual(["rare"]);
  });

  test("forgets removed skills: they are not found, and their words match no others", async () => {
    const { index, shown } = filled([
      ["one", "zeppelin"],
      ["two", "balloon"],
    ]);
    const kept = new Map([["two", skill("two")]]);
    await index.keepOnly(kept);
    expect(index.size).toBe(1);
    expect(index.has("one")).toBe(false);
    expect(index.search("zeppelin", shown, 5)).toEqual([]);
    index.add("three", skill("three"), "glider zeppelins");
    const now = new Map([...kept, ["three", skill("three")]]);
    expect(names(index.search("zeppelin", now, 5))).toEqual(["three"]);
    expect(names(index.search("glidr", now, 5))).toEqual(["three"]);
    expect(names(index.search("balloon", now, 5))).toEqual(["two"]);
  });

  test("results are correct at every step while it forgets", async () => {
    const { index } = filled([
      ["one", "zeppelin balloon"],
      ["two", "balloon zeppelin glider"],
    ]);
    const kept = new Map([["two", skill("two")]]);
    const forgetting = index.keepOnly(kept);
    for (const word of ["zeppelin", "balloon", "glider"])
      expect(names(index.search(word, kept, 5))).toEqual(["two"]);
    await forgetting;
    for (const word of ["zeppelin", "balloon", "glider"])
      expect(names(index.search(word, kept, 5))).toEqual(["two"]);
  });

  test("a text with more different words than are cached is found by each of them", () => {
    const many = Array.from({ length: 70_000 }, (_, at) => `w${at}x`);
    const { index, shown } = filled([
      ["many", many.join(" ")],
      ["other", "something else"],
    ]);
    for (const word of ["w0x", "w65535x", "w69999x"])
      expect(names(index.search(word, shown, 5))).toEqual(["many"]);
  });

  test.each([
    ["those that begin with it", "conv", ["converter"]],
    ["those one letter apart, from five letters on", "turbyne", ["turbine"]],
    ["none of those below five", "pipx", []],
    ["those two letters apart, from eight on", "postgrasqk", ["turbine"]],
    ["none further apart", "pastgrasqk", []],
  ])("a word that no skill uses matches %s: %s", (_, query, expected) => {
    const { index, shown } = filled([
      ["converter", "Changes pipes."],
      ["turbine", "Rotates pipes of postgresql."],
    ]);
    expect(names(index.search(query, shown, 5))).toEqual(expected);
  });

  test("a word that a skill uses matches no other; one that only hidden skills use does", () => {
    const { index, shown } = filled([
      ["one", "turbine"],
      ["two", "turbines turbofan"],
      ["three", "turbofans turbona"],
    ]);
    expect(names(index.search("turbine", shown, 5))).toEqual(["one", "two"]);
    const visible = new Map([["three", skill("three")]]);
    expect(names(index.search("turbofan", visible, 5))).toEqual(["three"]);
    expect(names(index.search("turbo", visible, 5))).toEqual(["three"]);
  });

  test("a single Chinese sign finds the words that contain it", () => {
    const { index, shown } = filled([
      ["cats", "黑猫吃鱼"],
      ["dogs", "狗"],
    ]);
    for (const sign of ["黑", "猫", "鱼"]) expect(names(index.search(sign, shown, 5))).toEqual(["cats"]);
    expect(names(index.search("狗", shown, 5))).toEqual(["dogs"]);
  });
});

test("yielding keeps the event loop running: many small steps are spread over its turns", async () => {
  const takeTurn = turnTaking();
  let rounds = 0;
  let isOver = false;
  const count = (): void => {
    rounds++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const worker = async (): Promise<void> => {
    for (let step = 0; step < 40; step++) {
      await takeTurn();
      for (const began = performance.now(); performance.now() - began < 1; );
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  isOver = true;
  // 120 steps of a millisecond or more, of which 8 and one per worker fit between two turns.
  expect(rounds).toBeGreaterThanOrEqual(10);
});

function filled(skills: readonly (readonly [name: string, body: string])[]) {
  const index = searchIndex();
  for (const [name, body] of skills) index.add(name, skill(name), body);
  return { index, shown: new Map(skills.map(([name]) => [name, skill(name)])) };
}

function names(hits: readonly { readonly skill: CatalogSkill }[]): string[] {
  return hits.map((hit) => hit.skill.name);
}
