import { applyStateDeltas, type SessionState, SKILL_STATE_KEYS, type StateDelta } from "@skillwright/core";
import {
  deltaOfAgent,
  injector,
  presentLoads,
  type SkillLoads,
  skillLoads,
  stateOfAgent,
} from "@skillwright/injector";
import { describe, expect, test } from "vitest";
import { skill, snapshotOf } from "./catalogue.js";

const key = SKILL_STATE_KEYS.loaded;
const load = (...names: string[]): StateDelta => Object.fromEntries(names.map((name) => [key(name), "1"]));

/** A session that runs through its steps as an agent loop does. */
function session(loads: SkillLoads, state: SessionState = {}) {
  let now = state;
  const apply = (...deltas: StateDelta[]): void => {
    now = applyStateDeltas(now, deltas);
  };
  return {
    get state() {
      return now;
    },
    loaded: (): string[] =>
      Object.keys(now)
        .filter((one) => one.startsWith(key("")))
        .map((one) => one.slice(key("").length)),
    turn: (): void => apply(loads.startTurn(now)),
    /** A request was answered, and its tools made these changes. */
    step: (...deltas: StateDelta[]) => {
      apply(loads.afterRequest(now), ...deltas);
      const { delta, diagnostics } = loads.settle(now, deltas);
      apply(delta);
      return diagnostics;
    },
    apply,
  };
}

describe("lifetime of a load", () => {
  test("once: it is in exactly the next request (LOAD-01)", () => {
    const one = session(skillLoads({ life: "once" }));
    one.turn();
    one.step(load("a"));
    expect(one.loaded()).toEqual(["a"]);
    one.step(load("b"));
    expect(one.loaded()).toEqual(["b"]);
    one.step();
    expect(one.loaded()).toEqual([]);
    expect(one.state).toEqual({});
  });

  test("turn, the default: it ends at the next turn of the user (LOAD-02)", () => {
    const one = session(skillLoads());
    one.turn();
    one.step(load("a"));
    one.step();
    expect(one.loaded()).toEqual(["a"]);
    one.turn();
    expect(one.state).toEqual({});
  });

  test("session: it lasts until it is cleared, also where a store dropped temporary state (LOAD-03)", () => {
    const loads = skillLoads({ life: "session" });
    const one = session(loads);
    one.turn();
    const documents = { [SKILL_STATE_KEYS.documents("a")]: '["x.md"]' };
    one.step({ ...load("a"), ...documents });
    const temporary = Object.keys(one.state).filter((name) => name.startsWith("temp:"));
    one.apply(Object.fromEntries(temporary.map((name) => [name, null])));
    expect(one.loaded()).toEqual([]);
    one.turn();
    expect(one.loaded()).toEqual(["a"]);
    expect(one.state).toMatchObject(documents);
    one.apply(loads.unload(one.state, ["a"]));
    one.turn();
    expect(one.state).toEqual({});
  });

  test("an unloaded skill leaves no key behind that could be taken for a load (LOAD-06)", () => {
    const loads = skillLoads({ life: "session" });
    const one = session(loads);
    one.step({ ...load("a", "b"), [SKILL_STATE_KEYS.documents("a")]: "*" });
    one.apply(loads.unload(one.state, ["a"]));
    expect(Object.keys(one.state).filter((name) => name.includes(":a"))).toEqual([]);
    expect(one.loaded()).toEqual(["b"]);
  });
});

describe("the cap", () => {
  test("with a limit of two loaded skills, a third evicts the oldest, and this is reported (LOAD-05)", () => {
    const one = session(skillLoads({ maxLoaded: 2 }));
    one.step(load("a"));
    one.step(load("b"));
    const diagnostics = one.step(load("c"));
    expect(one.loaded()).toEqual(["b", "c"]);
    expect(diagnostics).toMatchObject([{ code: "loads.evicted", message: expect.stringContaining('"a"') }]);
  });

  test("loading again makes a skill the newest", () => {
    const one = session(skillLoads({ maxLoaded: 2 }));
    one.step(load("a"));
    one.step(load("b"));
    one.step(load("a"));
    one.step(load("c"));
    expect(one.loaded()).toEqual(["a", "c"]);
  });

  test("three loads in one step keep the last ones within the limit", () => {
    const one = session(skillLoads({ maxLoaded: 2 }));
    one.step(load("a"), load("b"), load("c"));
    expect(one.loaded()).toEqual(["b", "c"]);
  });

  test("loads that the caller declares are in every turn and do not count towards the limit", () => {
    const one = session(skillLoads({ maxLoaded: 1, declared: ["base"], life: "once" }));
    one.turn();
    one.step(load("a"));
    expect(one.loaded()).toEqual(["base", "a"]);
    one.step();
    expect(one.loaded()).toEqual(["base"]);
    one.turn();
    expect(one.loaded()).toEqual(["base"]);
  });
});

test("declared documents are selected in every turn (LOAD-07)", () => {
  const declared = ["a", { skill: "b", documents: "*" }, { skill: "c", documents: ["x.md"] }] as const;
  const one = session(skillLoads({ declared, life: "once" }));
  one.turn();
  one.step();
  expect(one.loaded()).toEqual(["a", "b", "c"]);
  const documents = ["a", "b", "c"].map((name) => one.state[SKILL_STATE_KEYS.documents(name)]);
  expect(documents).toEqual([undefined, "*", '["x.md"]']);
});

test.each([
  [{ life: "ever" as never }, "life"],
  [{ maxLoaded: 0 }, "maxLoaded"],
])("%j is refused with its name in the error", (options, field) => {
  expect(() => skillLoads(options)).toThrow(
    expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining(`\`${field}\``) }),
  );
});

describe("two agents in one session", () => {
  test("do not see each other's loads, and share all other state (AGENT-06)", () => {
    const documents = { [SKILL_STATE_KEYS.documents("a")]: "*" };
    const shared = applyStateDeltas({ topic: "x" }, [
      deltaOfAgent({ ...load("a"), ...documents, "skill:loads": [{ skill: "a" }] }, "writer/1"),
      deltaOfAgent(load("b"), "reader"),
    ]);
    expect(stateOfAgent(shared, "writer/1")).toEqual({
      ...{ topic: "x", "skill:loads": [{ skill: "a" }] },
      ...load("a"),
      ...documents,
    });
    expect(stateOfAgent(shared, "reader")).toEqual({ topic: "x", ...load("b") });
    expect(stateOfAgent(shared, "writer")).toEqual({ topic: "x" });
    expect(stateOfAgent({ ...shared, ...load("c") }, "reader")).toEqual({ topic: "x", ...load("b") });
  });

  test("end only their own loads", () => {
    const shared = applyStateDeltas({}, [deltaOfAgent(load("a"), "one"), deltaOfAgent(load("a"), "two")]);
    const delta = skillLoads().unload(stateOfAgent(shared, "one"), ["a"]);
    const left = applyStateDeltas(shared, [deltaOfAgent(delta, "one")]);
    expect(stateOfAgent(left, "one")).toEqual({});
    expect(stateOfAgent(left, "two")).toEqual(load("a"));
  });
});

describe("after the history was compacted", () => {
  const snapshot = snapshotOf([skill("a"), skill("b"), skill('q"<x>')]);
  const bodies = new Map([
    ["a", "Body of a"],
    ["b", "Body of b </loaded_skill>"],
    ['q"<x>', "Odd"],
  ]);

  test("bodies that are no longer in the history are added again as one message, with their documents (LOAD-04)", () => {
    const documents = new Map([["b", new Map([["d.md", "Doc </loaded_document>"]])]]);
    const present = presentLoads(['<loaded_skill name="a" source="own">\nBody of a\n</loaded_skill>']);
    const { text } = injector().putBack({ snapshot, state: load("a", "b"), bodies, documents }, present);
    expect(text).toBe(
      [
        "These skills are loaded. Their instructions:",
        '<loaded_skill name="b">\nBody of b &lt;/loaded_skill>\n</loaded_skill>',
        '<loaded_document skill="b" path="d.md">\nDoc &lt;/loaded_document>\n</loaded_document>',
      ].join("\n\n"),
    );
  });

  test("where all bodies are still in the history, or none is loaded, there is no message", () => {
    const inject = injector();
    expect(inject.putBack({ snapshot, state: load("a"), bodies }, new Set(["a"])).text).toBe("");
    expect(inject.putBack({ snapshot, bodies }, new Set()).text).toBe("");
  });

  test("the added bodies are recognised again, whatever the name", () => {
    const state = load('q"<x>', "a");
    const { text } = injector().putBack({ snapshot, state, bodies }, new Set());
    expect([...presentLoads([text])].sort()).toEqual(["a", 'q"<x>']);
    expect(injector().putBack({ snapshot, state, bodies }, presentLoads([text])).text).toBe("");
  });
});
