import { applyStateDeltas, type SessionState } from "@skillwright/core";
import { profileInjection } from "@skillwright/injector";
import { describe, expect, test } from "vitest";

/** The turns at which the profile was injected, with its text at that turn. */
function injections(
  turns: number,
  every: number | undefined,
  text: (turn: number) => string = () => "Be kind.",
) {
  let state: SessionState = {};
  const found: [number, string][] = [];
  for (let turn = 1; turn <= turns; turn++) {
    const { message, delta } = profileInjection({ text: text(turn), state, isEmpty: turn === 1, every });
    if (message !== undefined) found.push([turn, message]);
    state = applyStateDeltas(state, [delta]);
  }
  return found;
}

describe("the agent's profile", () => {
  test("opens an empty conversation, trimmed", () => {
    expect(injections(1, undefined, () => "\n Be kind.\n")).toEqual([[1, "Be kind."]]);
  });

  test("is not inserted again into a conversation that has a history (AGENT-02)", () => {
    const { message, delta } = profileInjection({ text: "Be kind.", state: {}, isEmpty: false });
    expect(message).toBeUndefined();
    expect(delta).toEqual({ "agent:profile-turns": 1 });
  });

  test("every 3 turns: its current text is injected before user message 4 (AGENT-04)", () => {
    const edited = (turn: number) => (turn > 2 ? "Be brief." : "Be kind.");
    expect(injections(7, 3, edited)).toEqual([
      [1, "Be kind."],
      [4, "Be brief."],
      [7, "Be brief."],
    ]);
  });

  test("with 0 it appears once in 500 turns (AGENT-05), by default every 100", () => {
    expect(injections(500, 0)).toEqual([[1, "Be kind."]]);
    expect(injections(202, undefined).map(([turn]) => turn)).toEqual([1, 101, 201]);
  });

  test("is injected first again after a reset (AGENT-03)", () => {
    const state = { "agent:profile-turns": 2 };
    const reset = profileInjection({ text: "Be kind.", state, isEmpty: true, every: 3 });
    expect(reset).toEqual({ message: "Be kind.", delta: { "agent:profile-turns": 1 } });
  });

  test("that contains only whitespace is not injected", () => {
    expect(injections(5, 2, () => " \n")).toEqual([]);
  });

  test.each([-1, 1.5, Number.NaN])("an interval of %d turns is refused", (every) => {
    expect(() => profileInjection({ text: "x", state: {}, isEmpty: true, every })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
  });
});
