import { type RecordStore, SkillError } from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import { memoryRecords } from "@skillwright/repository-memory";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { printedLog, tellWork } from "../src/log/server-log.js";
import { heldTool, withTool } from "./held-tool.js";
import { allEvents, keptLog, newConversation, say, testServer } from "./test-server.js";

/** A store whose calls about these records fail while it is away. */
function store(isConcerned: (method: "get" | "write" | "list", kind: string | undefined) => boolean) {
  const records = memoryRecords();
  let [isAway, failures] = [false, 0];
  const failing = (method: "get" | "write" | "list") => {
    const call = records[method] as (...given: unknown[]) => Promise<never>;
    return async (key: readonly string[], ...given: unknown[]) => {
      if (!isAway || !isConcerned(method, key[0])) return await call(key, ...given);
      failures++;
      throw new SkillError("BACKEND_FAILED", "The store is away.");
    };
  };
  const replaced: Partial<RecordStore> = {
    get: failing("get"),
    write: failing("write"),
    list: failing("list"),
  };
  return {
    records: delegate(records, replaced),
    away: (now: boolean) => {
      isAway = now;
    },
    failures: () => failures,
  };
}

/** Creates a log. `works` returns the names of the server's own work that failed. */
function heard() {
  const { log, entries } = keptLog();
  const works = () =>
    entries("error").map(({ fields }) => {
      expect(fields["err"]).toMatchObject({ code: "BACKEND_FAILED" });
      return fields["work"];
    });
  return { works, log };
}

describe("SERVE-106: work of the server itself that fails is told", () => {
  test("once, while the store in which it looks for lost turns is away", async () => {
    const { records, away, failures } = store((method, kind) => method === "list" && kind === "active-turn");
    const { works, log } = heard();
    away(true);
    testServer({ records, log, leaseMs: 20 });
    await expect.poll(failures).toBeGreaterThan(3);
    expect(works()).toEqual(["Looking for turns that others left"]);
  });

  test("while a turn cannot be renewed; the turn goes on and ends as usual", async () => {
    const { records, away, failures } = store((method, kind) => method === "write" && kind === "turn");
    const { works, log } = heard();
    const gate = heldTool();
    const server = testServer({ ...withTool(gate.tool), records, log, leaseMs: 400 });
    const reading = allEvents(await say(server, await newConversation(server), "Wait"));
    await gate.called;
    away(true);
    await expect.poll(failures).toBeGreaterThan(0);
    away(false);
    gate.open();
    expect((await reading).at(-1)?.data).toBe("[DONE]");
    expect(works()).toEqual(["Renewing a turn"]);
  });

  test("the same work is logged at most once a minute, and a server without a log prints it on standard error", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
    onTestFinished(() => printed.mockRestore());
    const failed = tellWork(printedLog);
    const error = new SkillError("BACKEND_FAILED", "The store is away.");
    for (let times = 0; times < 2; times++) failed("Renewing a turn", error);
    failed("Closing an agent", error);
    vi.advanceTimersByTime(59_999);
    failed("Renewing a turn", error);
    expect(printed.mock.calls.flat()).toEqual([
      "Renewing a turn failed: BACKEND_FAILED The store is away.",
      "Closing an agent failed: BACKEND_FAILED The store is away.",
    ]);
    vi.advanceTimersByTime(1);
    failed("Renewing a turn", error);
    expect(printed).toHaveBeenCalledTimes(3);
  });
});
