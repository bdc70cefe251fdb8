import { expect, vi } from "vitest";
import { refusalOf } from "../../../packages/tools/test/example-skills.js";
import { withTimers } from "../boundary.js";
import { fakeWorkspaces } from "../fake-workspaces.js";
import { KIB, limitsOf, MINUTE } from "../limit.js";

import { interactive, isMost, start } from "../one-skill.js";

export const interactiveToolLimits = limitsOf("tools", [
  {
    option: "`interactive`: `maxRuns`",
    kind: "default",
    value: 8,
    unit: "runs",
    documented: ["src/interactive/started-runs.ts", "over all sessions. Defaults to 8."],
    source: ["src/interactive/started-runs.ts", "maxRuns = 8"],
    probe: async (value) => {
      const call = interactive(fakeWorkspaces({ written: ["prompt"] }));
      for (let n = 0; n < value; n++) expect((await start(call)).run_id).toBeDefined();
      expect(refusalOf(await call("skill_start", { skill: "one", command: "cat" })).code).toBe(
        "LIMIT_EXCEEDED",
      );
    },
  },
  {
    option: "`interactive`: `idleMs`",
    kind: "default",
    value: 30 * MINUTE,
    unit: "ms",
    documented: ["README.md", "A run is stopped after 30 minutes without a call about it"],
    source: ["src/interactive/started-runs.ts", "idleMs = 1_800_000"],
    probe: async (value) =>
      await withTimers(async () => {
        const { workspaces, signals } = fakeWorkspaces({ written: ["prompt"] });
        const starting = start(interactive({ workspaces }));
        await vi.advanceTimersByTimeAsync(1000);
        await starting;
        await vi.advanceTimersByTimeAsync(value - 2000);
        expect(signals).toEqual([]);
        await vi.advanceTimersByTimeAsync(2000);
        expect(signals).toEqual(["SIGTERM"]);
      }),
  },
  {
    option: "`interactive`: `idleMs`, most",
    kind: "limit",
    value: 2 ** 31 - 1,
    unit: "ms",
    documented: ["src/interactive/started-runs.ts", "at most 2,147,483,647"],
    source: ["src/interactive/started-runs.ts", "idleMs <= 2 ** 31 - 1"],
    probe: (value) => {
      const made = (idleMs: number) => () => interactive(fakeWorkspaces({}), { idleMs });
      expect(made(value)).not.toThrow();
      expect(made(value + 1)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    },
  },
  {
    option: "`skill_poll`: `wait`",
    kind: "default",
    value: 1,
    unit: "s",
    documented: ["README.md", "`wait?` (seconds, 1, at most 60)"],
    source: ["src/interactive/skill-poll.ts", "wait = 1,"],
    probe: async (value) =>
      await withTimers(async () => {
        const call = interactive(fakeWorkspaces({}));
        const starting = start(call);
        await vi.advanceTimersByTimeAsync(1000);
        const { run_id } = await starting;
        let isAnswered = false;
        void call("skill_poll", { run_id }).then(() => {
          isAnswered = true;
        });
        await vi.advanceTimersByTimeAsync(value * 1000 - 1);
        expect(isAnswered).toBe(false);
        await vi.advanceTimersByTimeAsync(1);
        expect(isAnswered).toBe(true);
      }),
  },
  {
    option: "`skill_poll`: `wait`, most",
    kind: "limit",
    value: 60,
    unit: "s",
    documented: ["README.md", "`wait?` (seconds, 1, at most 60)"],
    source: ["src/interactive/skill-poll.ts", "max(60)"],
    probe: async (value) => await isMost("skill_poll", "wait", value, { run_id: "absent" }),
  },
  {
    option: "`skill_poll`: `max_bytes`",
    kind: "default",
    value: 16 * KIB,
    unit: "bytes",
    documented: ["README.md", "`max_bytes?` (16 KiB, at most 64 KiB)"],
    source: ["src/interactive/started-run-answer.ts", "maxBytes = 16 * 1024"],
    probe: async (value) => {
      const call = interactive(fakeWorkspaces({ written: ["x".repeat(4 * value)] }));
      expect((await start(call)).output).toHaveLength(value);
    },
  },
  {
    option: "`skill_poll`: `max_bytes`, most",
    kind: "limit",
    value: 64 * KIB,
    unit: "bytes",
    documented: ["README.md", "`max_bytes?` (16 KiB, at most 64 KiB)"],
    source: ["src/interactive/skill-poll.ts", "max(65_536)"],
    probe: async (value) => await isMost("skill_poll", "max_bytes", value, { run_id: "absent" }),
  },
  {
    option: "`skill_poll`: output that can be read again",
    kind: "limit",
    value: 256 * KIB,
    unit: "bytes",
    documented: ["README.md", "the last 256 KiB can be read again with `offset`"],
    source: ["src/interactive/started-run.ts", "KEPT_BYTES = 256 * 1024"],
    probe: async (value) => {
      const call = interactive(
        fakeWorkspaces({ written: ["x".repeat(value), "x".repeat(value), "x".repeat(value)] }),
      );
      const { run_id } = await start(call);
      // Between one and two times that much is kept; a third piece reduces it to the minimum and that piece.
      const answer = (await call("skill_poll", { run_id, offset: 0, wait: 0 })).output;
      expect(answer).toMatchObject({ offset: 2 * value });
    },
  },
  {
    option: "`skill_poll`: `prompt`",
    kind: "limit",
    value: 200,
    unit: "characters",
    documented: ["src/interactive/started-output.ts", "at most 200 characters"],
    source: ["src/interactive/started-output.ts", "LONGEST_LINE = 200"],
    probe: async (value) => {
      const call = interactive(fakeWorkspaces({ written: ["p".repeat(3 * value)] }));
      expect(await start(call)).toMatchObject({ prompt: "p".repeat(value) });
    },
  },
  {
    option: "`skill_stop`: time to end by itself",
    kind: "limit",
    value: 2000,
    unit: "ms",
    documented: ["README.md", "Stopping sends TERM and after two seconds ends the whole tree"],
    source: ["src/interactive/started-run.ts", "GRACE_MS = 2000"],
    probe: async (value) =>
      await withTimers(async () => {
        const { workspaces, signals } = fakeWorkspaces({ written: ["prompt"] });
        const call = interactive({ workspaces });
        const starting = start(call);
        await vi.advanceTimersByTimeAsync(1000);
        const { run_id } = await starting;
        void call("skill_stop", { run_id });
        await vi.advanceTimersByTimeAsync(value - 1);
        expect(signals).toEqual(["SIGTERM"]);
        await vi.advanceTimersByTimeAsync(1);
        expect(signals).toEqual(["SIGTERM", "SIGKILL"]);
      }),
  },
]);
