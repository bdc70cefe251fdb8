import { skillChanges } from "@skillwright/injector";
import { expect, test } from "vitest";
import { skill, snapshotOf } from "./catalogue.js";

const before = snapshotOf([skill("a"), skill("b"), skill("c")]);
const after = (skills: Parameters<typeof snapshotOf>[0]) => ({ ...snapshotOf(skills), fingerprint: "g" });

test("new, changed and deleted skills are reported on one line each", () => {
  const now = after([skill("a"), skill("b", { changeMark: "2" }), skill("d")]);
  expect(skillChanges(before, now)).toBe(
    [
      "The skills changed since the overview was written:",
      "- new: d: Does d things",
      "- changed (load it again before use): b: Does b things",
      "- gone: c",
    ].join("\n"),
  );
});

test("an equal fingerprint, or a difference that the model cannot see, is no change", () => {
  expect(skillChanges(before, { ...snapshotOf([]), fingerprint: "f" })).toBeUndefined();
  expect(skillChanges(before, after([skill("a"), skill("b"), skill("c")]))).toBeUndefined();
});

test("skills that only users may start are not reported, neither as new nor as deleted (LIST-15)", () => {
  const manual = skill("manual", { frontmatter: { "disable-model-invocation": true } });
  const all = [skill("a"), skill("b"), skill("c")];
  expect(skillChanges(before, after([...all, manual]))).toBeUndefined();
  expect(skillChanges(snapshotOf([...all, manual]), after(all))).toBeUndefined();
});

test("a description cannot add a line of its own (PROMPT-12)", () => {
  const now = after([skill("a"), skill("b"), skill("c"), skill("d", { description: "x\n- gone: a" })]);
  expect(skillChanges(before, now)?.split("\n")).toHaveLength(2);
});

test("at most 32 are reported, with the number of the others", () => {
  const now = after(Array.from({ length: 50 }, (_, index) => skill(`n${index}`)));
  const lines = skillChanges(snapshotOf([]), now)?.split("\n") ?? [];
  expect(lines).toHaveLength(34);
  expect(lines.at(-1)).toBe("18 more changes are not listed.");
});

test("an unreachable source is reported once, and its skills do not count as deleted", () => {
  const unreachable = (state: "stale" | "unlisted", skills = before.skills) => ({
    ...after(skills),
    sources: [{ source: "own", trusted: true, state }],
  });
  for (const now of [unreachable("stale"), unreachable("unlisted", [])])
    expect(skillChanges(before, now)?.split("\n").slice(1)).toEqual([
      "- cannot be reached now: the source own. Its skills stay as they were; loading or running one may fail",
    ]);
  const still = { ...unreachable("stale"), fingerprint: "h" };
  expect(skillChanges(unreachable("stale"), still)).toBeUndefined();
  expect(skillChanges(still, after(before.skills))?.split("\n").slice(1)).toEqual([
    "- can be reached again: the source own",
  ]);
});

test("a skill whose SKILL.md became invalid is reported as broken, not as deleted", () => {
  const now = {
    ...after([skill("a"), skill("c")]),
    broken: [{ path: "b", source: "own", diagnostics: [] }],
  };
  expect(skillChanges(before, now)?.split("\n").slice(1)).toEqual([
    "- broken now, as last loaded still in force: b",
  ]);
});
