import { expect, test } from "vitest";
import { scenarioProblems } from "../../scripts/mcp-hosts/scenario-problems.mjs";

const passed = [{ status: "INFO" }, { status: "SUCCESS" }, { status: "WARNING" }];
const failed = [{ status: "SUCCESS" }, { status: "FAILURE", errorMessage: "no such method" }];

test("scenarios that pass, and listed ones that do not, are no problem (MCP-25)", () => {
  const ran = new Map([
    ["ping", passed],
    ["prompts", failed],
    ["polling", [{ status: "WARNING" }]],
  ]);
  expect(scenarioProblems(ran, { prompts: "There are none.", polling: "There are no sessions." })).toEqual(
    [],
  );
});

test("a scenario that fails, or that verifies nothing, must be listed (MCP-25)", () => {
  const ran = new Map([
    ["prompts", failed],
    ["polling", [{ status: "WARNING" }]],
  ]);
  expect(scenarioProblems(ran, {})).toEqual([
    "prompts fails: no such method",
    "polling fails: none of its checks succeeded",
  ]);
});

test("a listed scenario must neither pass nor be missing (MCP-25)", () => {
  expect(scenarioProblems(new Map([["ping", passed]]), { ping: "Reason.", gone: "Reason." })).toEqual([
    "ping is listed as not applying, and passes: remove it from the list",
    "gone is listed, and the suite has no such scenario: remove it",
  ]);
});

test("a suite that ran nothing is a problem (MCP-25)", () => {
  expect(scenarioProblems(new Map(), {})).toEqual(["no scenario was run"]);
});
