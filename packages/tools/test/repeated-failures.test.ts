import type { SkillTool, ToolResult } from "@skillwright/core";
import { skillTools, stopRepeatedFailures } from "@skillwright/tools";
import { describe, expect, test } from "vitest";
import { callContext, caller, exampleCatalog, refusalOf, session } from "./example-skills.js";

/** Refuses until switched, and counts its calls. */
function stubborn(parallel: boolean) {
  const seen = { calls: 0, refuses: true };
  const refusal: ToolResult = {
    output: { error: { code: "INPUT_INVALID", message: "Valid: a, b.", retry: true } },
    isError: true,
    stateDelta: {},
    artifacts: [],
    diagnostics: [],
  };
  const tool: SkillTool = {
    name: parallel ? "look" : "change",
    description: "",
    inputSchema: { type: "object" },
    parallel,
    async execute() {
      seen.calls++;
      return seen.refuses ? refusal : { ...refusal, output: "done", isError: false };
    },
  };
  return { seen, tool };
}

describe("stopRepeatedFailures", () => {
  test("the third refusal of one call stops it, with the valid choices and no retry", async () => {
    const { seen, tool } = stubborn(true);
    const call = caller(stopRepeatedFailures([tool]));
    const results = [];
    for (let count = 0; count < 5; count++) results.push(await call("look", { at: "c" }));
    expect(seen.calls).toBe(3);
    expect(results.map((result) => refusalOf(result).retry)).toEqual([true, true, false, false, false]);
    expect(refusalOf(results[4] as ToolResult).message).toMatch(
      /failed 3 times in the same way.*Valid: a, b\./,
    );
    expect(results.map(({ diagnostics }) => diagnostics.length)).toEqual([0, 0, 1, 1, 1]);
    expect(results[4]?.diagnostics).toMatchObject([{ code: "call.repeated" }]);
  });

  test("another input, another session and another agent are counted separately", async () => {
    const { seen, tool } = stubborn(true);
    const call = caller(stopRepeatedFailures([tool], { limit: 2 }));
    await call("look", { at: "c" });
    await call("look", { at: "d" });
    await call("look", { at: "c" }, callContext({ session: { ...session, session: "s2" } }));
    expect(refusalOf(await call("look", { at: "c" }, callContext({ agent: "other" }))).retry).toBe(true);
    expect(seen.calls).toBe(4);
    expect(refusalOf(await call("look", { at: "c" })).retry).toBe(false);
  });

  test("a call that changed something resets all counts", async () => {
    const look = stubborn(true);
    const change = stubborn(false);
    change.seen.refuses = false;
    const call = caller(stopRepeatedFailures([look.tool, change.tool], { limit: 2 }));
    await call("look", {});
    await call("look", {});
    await call("change", {});
    expect(refusalOf(await call("look", {})).retry).toBe(true);
    expect(look.seen.calls).toBe(3);
  });

  test("a successful call after a refusal resets its count", async () => {
    const { seen, tool } = stubborn(true);
    const call = caller(stopRepeatedFailures([tool], { limit: 2 }));
    await call("look", {});
    seen.refuses = false;
    expect((await call("look", {})).isError).toBe(false);
    seen.refuses = true;
    expect(refusalOf(await call("look", {})).retry).toBe(true);
  });

  test("an aborted call is not counted", async () => {
    const { tool } = stubborn(true);
    const call = caller(stopRepeatedFailures([tool], { limit: 1 }));
    expect(refusalOf(await call("look", {}, callContext({ signal: AbortSignal.abort() }))).retry).toBe(true);
  });

  test("an unknown skill is stopped with similar names", async () => {
    const call = caller(stopRepeatedFailures(skillTools({ skills: exampleCatalog() })));
    let last: ToolResult | undefined;
    for (let count = 0; count < 3; count++) last = await call("skill_load", { skill: "gretter" });
    expect(last && refusalOf(last)).toMatchObject({ code: "SKILL_NOT_FOUND", retry: false });
    expect(last && refusalOf(last).message).toContain('"greeter"');
  });
});
