import { callableTools } from "@skillwright/tools";
import { describe, expect, test } from "vitest";
import { conversation, LOADED, tools } from "./adapter-calls.js";

function setUp() {
  const { options, heard } = conversation();
  const made = callableTools(tools, options);
  const find = (name: string) => {
    const found = made.find((one) => one.name === name);
    if (!found) throw new Error(`no ${name}`);
    return found;
  };
  return { made, find, heard };
}

describe("callableTools", () => {
  test("a call returns text, and reports its result with the id of the call (TOOL-24)", async () => {
    const { find, heard } = setUp();
    const { execute } = find("skill_load");
    expect(await execute({ skill: "counter" }, { callId: "call_0" })).toBe(LOADED);
    expect(await find("skill_list_docs").execute('{"skill":"greeter"}')).toContain('"USAGE.md"');
    expect(heard).toMatchObject([
      {
        call: { toolName: "skill_load", toolCallId: "call_0", order: 0 },
        result: { stateDelta: { "temp:skill:loaded:counter": "1" } },
      },
      { call: { toolName: "skill_list_docs", toolCallId: "", order: 1 } },
    ]);
  });

  test("refusals are text that the model reads (TOOL-24)", async () => {
    const { find } = setUp();
    const { execute } = find("skill_load");
    expect(JSON.parse(await execute({ skill: "nobody" }))).toMatchObject({
      error: { code: "SKILL_NOT_FOUND" },
    });
    expect(await execute("not JSON")).toContain("INPUT_INVALID");
  });

  test("the signal of a call reaches its context", async () => {
    const { find, heard } = setUp();
    const { signal } = new AbortController();
    await find("skill_load").execute({ skill: "counter" }, { signal });
    expect(heard[0]?.call.abortSignal).toBe(signal);
  });

  test("each tool has its own schema and description, and a change to the copy changes no tool", () => {
    const [first] = setUp().made;
    expect(setUp().made).toMatchObject(
      tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    );
    Object.assign(first?.inputSchema ?? {}, { type: "string" });
    expect(tools[0]?.inputSchema).toMatchObject({ type: "object" });
  });
});
