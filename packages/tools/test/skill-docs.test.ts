import { applyStateDeltas, type SessionState } from "@skillwright/core";
import { skillTools } from "@skillwright/tools";
import { describe, expect, test } from "vitest";
import { callContext, caller, exampleCatalog, refusalOf } from "./example-skills.js";

const call = caller(skillTools({ skills: exampleCatalog() }));
const key = "temp:skill:docs:greeter";

/** The state after these calls of skill_select_docs, one after the other. */
async function stateAfter(...inputs: object[]): Promise<SessionState> {
  let state: SessionState = {};
  for (const input of inputs) {
    const { stateDelta } = await call(
      "skill_select_docs",
      { skill: "greeter", ...input },
      callContext({ state }),
    );
    state = applyStateDeltas(state, [stateDelta]);
  }
  return state;
}

describe("skill_list_docs", () => {
  test("returns the paths of .md and .txt in any case, including nested ones, sorted, without SKILL.md (TOOL-10)", async () => {
    const { output } = await call("skill_list_docs", { skill: "greeter" });
    expect(output).toEqual(["USAGE.md", "docs/Guide.MD", "notes.TXT"]);
  });

  test("the list is empty for a skill without documents", async () => {
    expect((await call("skill_list_docs", { skill: "counter" })).output).toEqual([]);
  });
});

describe("skill_select_docs", () => {
  test("returns the text of the documents that the call names, and the current selection", async () => {
    const state = { [key]: '["notes.TXT"]' };
    const input = { skill: "greeter", docs: ["USAGE.md"], mode: "add" };
    const { output } = await call("skill_select_docs", input, callContext({ state }));
    expect(output).toBe(
      'Chosen documents of "greeter": notes.TXT, USAGE.md.\n' +
        '<loaded_document skill="greeter" path="USAGE.md">\nHow to greet.\n</loaded_document>',
    );
  });

  test("add twice gives the union, first selected first (TOOL-11)", async () => {
    const state = await stateAfter(
      { docs: ["notes.TXT"], mode: "add" },
      { docs: ["USAGE.md", "notes.TXT"], mode: "add" },
    );
    expect(state).toEqual({ [key]: '["notes.TXT","USAGE.md"]' });
  });

  test("all, then add one, is still all; clear, then add, is only that one (TOOL-12)", async () => {
    const all = { include_all_docs: true };
    expect(await stateAfter(all, { docs: ["USAGE.md"], mode: "add" })).toEqual({ [key]: "*" });
    expect(await stateAfter(all, { mode: "clear" }, { docs: ["USAGE.md"], mode: "add" })).toEqual({
      [key]: '["USAGE.md"]',
    });
  });

  test("replace starts a new selection, also after all", async () => {
    expect(await stateAfter({ include_all_docs: true }, { docs: ["USAGE.md"] })).toEqual({
      [key]: '["USAGE.md"]',
    });
  });

  test("clear removes the key instead of leaving it empty", async () => {
    const { stateDelta } = await call("skill_select_docs", { skill: "greeter", mode: "clear" });
    expect(stateDelta).toEqual({ [key]: null });
    expect(await stateAfter({ docs: ["USAGE.md"] }, { mode: "clear" })).toEqual({});
    expect(await stateAfter({ docs: ["USAGE.md"] }, { docs: [] })).toEqual({});
  });

  test('the mode " ADD " is add, and an unknown one is replace, with a diagnostic (TOOL-13)', async () => {
    const first = { docs: ["notes.TXT"] };
    expect(await stateAfter(first, { docs: ["USAGE.md"], mode: " ADD " })).toEqual({
      [key]: '["notes.TXT","USAGE.md"]',
    });
    expect(await stateAfter(first, { docs: ["USAGE.md"], mode: "bogus" })).toEqual({ [key]: '["USAGE.md"]' });
    const { diagnostics } = await call("skill_select_docs", {
      skill: "greeter",
      docs: ["USAGE.md"],
      mode: "bogus",
    });
    expect(diagnostics).toMatchObject([{ code: "mode.unknown", severity: "warning" }]);
  });

  test("a call with only unknown documents is refused with the existing ones, and changes nothing (TOOL-14)", async () => {
    const result = await call("skill_select_docs", { skill: "greeter", docs: ["MANUAL.md"] });
    expect(refusalOf(result)).toMatchObject({
      code: "FILE_NOT_FOUND",
      message: expect.stringContaining("Its documents: USAGE.md, docs/Guide.MD, notes.TXT."),
      retry: true,
    });
    expect(result.stateDelta).toEqual({});
  });

  test("known documents are selected even if others are unknown", async () => {
    const result = await call("skill_select_docs", { skill: "greeter", docs: ["MANUAL.md", "USAGE.md"] });
    expect(result.stateDelta).toEqual({ [key]: '["USAGE.md"]' });
    expect(result.output).toContain('no document "MANUAL.md"');
    expect(result.diagnostics).toMatchObject([{ code: "document.unknown" }]);
  });

  test.each(["{", '{"a":1}', 7])(
    "an earlier selection that cannot be parsed (%j) counts as empty",
    async (stored) => {
      const context = callContext({ state: { [key]: stored } });
      const input = { skill: "greeter", docs: ["USAGE.md"], mode: "add" };
      expect((await call("skill_select_docs", input, context)).stateDelta).toEqual({ [key]: '["USAGE.md"]' });
    },
  );
});
