import { type CatalogSkill, type SessionState, SKILL_STATE_KEYS } from "@skillwright/core";
import { loadedNames, skillChanges, skillLoads } from "@skillwright/injector";
import { describe, expect, test } from "vitest";
import { outdatedLoads } from "../src/loads/outdated-loads.js";
import { skill, snapshotOf } from "./catalogue.js";

const hidden = { frontmatter: { disable_model_invocation: "yes" } };
const loads = skillLoads({ life: "session", declared: ["always"] });
const before = snapshotOf([skill("a"), skill("b"), skill("always"), skill("manual", hidden)]);
const after = (...skills: CatalogSkill[]) => ({ ...snapshotOf(skills), fingerprint: "g" });
const edited = { changeMark: "2" };

describe("a loaded skill that changed between two turns (life session)", () => {
  test("is unloaded, and so is a deleted one; the others stay", () => {
    const now = after(skill("a", edited), skill("always", edited), skill("manual", hidden));
    const { left, diagnostics } = outdated(["a", "b", "always", "manual"], now);
    expect(left).toEqual(["always", "manual"]);
    expect(diagnostics.map(({ code, message }) => [code, /"(.)"/.exec(message)?.[1]])).toEqual([
      ["loads.outdated", "a"],
      ["loads.outdated", "b"],
    ]);
  });

  test("is not reloaded at the next turn", () => {
    const state = loadedWith(["a", "b"]);
    const { delta } = loads.afterChange(state, before, after(skill("a", edited), skill("b")));
    expect(delta).toMatchObject({ "skill:loads": [{ skill: "b" }] });
  });

  test("that only users may start stays loaded, since the model could not load it again", () => {
    const all = [skill("a"), skill("b"), skill("always")];
    expect(outdated(["manual"], after(...all, skill("manual", { ...hidden, ...edited }))).left).toEqual([
      "manual",
    ]);
    // A skill that became user-only is unloaded for the model.
    expect(outdated(["a"], after(skill("a", { ...hidden, ...edited }))).left).toEqual([]);
  });

  test("a skill with an equal fingerprint, or loaded after the catalogue was read, stays loaded", () => {
    expect(loads.afterChange(loadedWith(["a"]), before, before)).toEqual({ delta: {}, diagnostics: [] });
    const all = [skill("a"), skill("b"), skill("always"), skill("manual", hidden)];
    expect(outdated(["fresh"], after(...all, skill("fresh"))).left).toEqual(["fresh"]);
  });

  test("is reported as one whose instructions are out of date, also where only users may start it", () => {
    const now = after(skill("a", edited), skill("b", edited), skill("manual", { ...hidden, ...edited }));
    expect(
      skillChanges(before, now, loadedWith(["a", "manual"]))
        ?.split("\n")
        .slice(1),
    ).toEqual([
      "- changed (its instructions above are out of date; load it again before use): a: Does a things",
      "- changed (load it again before use): b: Does b things",
      "- changed (its instructions above are out of date; load it again before use): manual: Does manual things",
      "- gone: always",
    ]);
    expect(
      skillChanges(before, after(skill("a"), skill("b"), skill("always")), loadedWith(["manual"])),
    ).toMatch(/\n- gone: manual$/);
  });
});

function loadedWith(names: readonly string[]): SessionState {
  return {
    ...Object.fromEntries(names.map((name) => [SKILL_STATE_KEYS.loaded(name), "1"])),
    "skill:loads": names.map((name) => ({ skill: name })),
  };
}

function outdated(names: readonly string[], now: ReturnType<typeof after>) {
  const state = loadedWith(names);
  const { delta, diagnostics } = loads.afterChange(state, before, now);
  const left = loadedNames(state).filter((name) => delta[SKILL_STATE_KEYS.loaded(name)] !== null);
  return { left, diagnostics };
}

test("nothing is outdated while its source is unreachable or its SKILL.md is broken", () => {
  const before = snapshotOf([skill("a")]);
  const gone = { ...snapshotOf([]), fingerprint: "g" };
  expect(outdatedLoads(before, gone, ["a"])).toEqual(["a"]);
  const unreachable = { ...gone, sources: [{ source: "own", trusted: true, state: "unlisted" as const }] };
  expect(outdatedLoads(before, unreachable, ["a"])).toEqual([]);
  const broken = { ...gone, broken: [{ path: "a", source: "own", diagnostics: [] }] };
  expect(outdatedLoads(before, broken, ["a"])).toEqual([]);
});
