import type { RunHandle } from "@skillwright/core/adapter";
import { type Breaking, commands, handles, starting, workspaces } from "./breaking.js";

/** Every start is another run. */
const alwaysAnew = commands((command) => ({ ...command, runId: `${command.runId}${Math.random()}` }));

/** Nobody keeps a run. */
const neverKept = starting(
  (start) =>
    ({ keep, ...command }, options) =>
      start(command, options),
);

export const brokenRecorded: Readonly<Record<string, Breaking>> = {
  "recorded/once": alwaysAnew,
  "recorded/recorded": alwaysAnew,
  "recorded/live": workspaces(({ runOf }) => ({
    runOf: async (runId, options) => {
      const handle = await runOf(runId, options);
      return handle && { ...handle, output: () => handle.output() };
    },
  })),
  "recorded/stop": handles(({ result }) => ({
    result: result.then((ended) => ({ ...ended, aborted: false })),
  })),
  "recorded/outlives": neverKept,
  "recorded/stdin": commands((command) => ({ ...command, stdin: "" })),
  "recorded/output": commands((command) => ({ ...command, maxOutputBytes: 4 * command.maxOutputBytes })),
  "recorded/secrets": commands((command) => ({
    ...command,
    env: Object.fromEntries(
      Object.entries(command.env).map(([name, value]) => [
        name,
        typeof value === "string" ? value : value.reveal(),
      ]),
    ),
  })),
  "recorded/of-one-workspace": workspaces(({ runOf }) => ({ runOf: async () => await runOf("a") })),
  "recorded/destroyed": (runtime) => {
    const known = new Map<string, RunHandle>();
    return workspaces(({ runOf, start }) => ({
      start: async (command, options) => {
        const handle = await start(command, options);
        known.set(command.runId, handle);
        return handle;
      },
      runOf: async (runId, options) => known.get(runId) ?? (await runOf(runId, options)),
    }))(runtime);
  },
  "recorded/refused": neverKept,
  "recorded/found": commands((command) => ({ ...command, keep: true })),
  "recorded/one-at-a-time": alwaysAnew,
};
