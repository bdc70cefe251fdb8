import { recordTurns } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { expect, test } from "vitest";
import { recordedTurn } from "../src/turns/turn-input.js";

const key = { scope: { app: "a", user: "u", session: "s" }, turn: "one" };
const forMs = 3_600_000;

test("SERVE-28: the stored output of a run is read back, even if the event of the run was not stored", async () => {
  const turns = recordTurns(memoryRecords());
  const lease = await turns.begin(key, { forMs });
  await lease.append("events", [{ type: "tool-input-available", toolCallId: "c", toolName: "t", input: {} }]);
  const output = { type: "run.output", runId: "r", stream: "stdout", text: "é\n" };
  await lease.append("run c", [{ type: "run.started", runId: "r" }, output]);
  const { runs } = await recordedTurn(turns, key);
  expect(runs.get("c")).toEqual([
    { type: "run.started", runId: "r" },
    { type: "run.output-dropped", runId: "r", stream: "stdout", bytes: 3 },
  ]);
});
