import { expect } from "vitest";
import type { RunEventLimits } from "../../../packages/core/src/adapter.js";
import type { RunEvent } from "../../../packages/core/src/index.js";
import { outputEvents } from "../../../packages/workspace/src/run/output-events.js";
import { ran } from "../fake-runs.js";
import { KIB, limitsOf, MIB } from "../limit.js";

const PORT = "/packages/core/src/run-event.ts";
const EVENTS = "src/run/output-events.ts";

export const runEventLimits = limitsOf("workspace", [
  {
    option: "`eventLimits.bytes`",
    kind: "default",
    value: 4 * MIB,
    unit: "bytes",
    documented: [PORT, "Total bytes of one run. Defaults to 4 MiB."],
    source: [EVENTS, "EVENT_BYTES = 4 * MIB"],
    probe: (value) => expect(heardOf(2 * value, { bytesPerSecond: Number.POSITIVE_INFINITY })).toBe(value),
  },
  {
    option: "`eventLimits.bytesPerSecond`",
    kind: "default",
    value: MIB,
    unit: "bytes",
    documented: [PORT, "this many bytes may also arrive at once. Defaults to 1 MiB."],
    source: [EVENTS, "bytesPerSecond = MIB"],
    probe: (value) => expect(heardOf(2 * value, {})).toBe(value),
  },
  {
    option: "recorded of a stream for a listener that is slower than the command",
    kind: "limit",
    value: 64 * MIB,
    unit: "bytes",
    documented: ["README.md", "at most 64 MiB, until the listener has had it"],
    source: ["src/run/command-of-run.ts", "MOST_LIVE_BYTES = 64 * 1024 * 1024"],
    probe: async (value) => {
      const { commands } = await ran({}, {}, { eventLimits: { bytes: 2 * value } });
      expect(commands).toMatchObject([{ liveOutputBytes: value }]);
    },
  },
]);

/** How many of so many bytes a listener receives that arrive at one time, in pieces of 64 KiB. */
export function heardOf(bytes: number, limits: RunEventLimits): number {
  let heard = 0;
  const count = (event: RunEvent) => {
    if (event.type === "run.output") heard += event.text.length;
  };
  const events = outputEvents("run", count, { ...limits, now: () => 0 });
  for (let sent = 0; sent < bytes; sent += 64 * KIB)
    events.hear({ stream: "stdout", offset: sent, bytes: Buffer.alloc(64 * KIB, "x") });
  events.end();
  return heard;
}
