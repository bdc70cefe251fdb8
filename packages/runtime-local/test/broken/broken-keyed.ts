import type { RunHandle } from "@skillwright/core/adapter";
import { type Breaking, commands, handles, starting, workspaces } from "./breaking.js";

/** Every start is another run. */
const alwaysAnew = commands((command) => ({
  ...command,
  key: command.key && `${command.key}${Math.random()}`,
}));

/** Runs belong to their host, as those without a key do. */
const withoutKey = starting(
  (start) =>
    ({ key, ...command }, options) =>
      start(command, options),
);

export const brokenKeyed: Readonly<Record<string, Breaking>> = {
  "keyed/once": alwaysAnew,
  "keyed/recorded": alwaysAnew,
  "keyed/live": workspaces(({ runOf }) => ({
    runOf: async (key, options) => {
      const handle = await runOf?.(key, options);
      return handle && { ...handle, output: () => handle.output() };
    },
  })),
  "keyed/stop": handles(({ result }) => ({
    result: result.then((ended) => ({ ...ended, aborted: false })),
  })),
  "keyed/outlives": withoutKey,
  "keyed/stdin": commands((command) => ({ ...command, stdin: "" })),
  "keyed/output": commands((command) => ({ ...command, maxOutputBytes: 4 * command.maxOutputBytes })),
  "keyed/secrets": commands((command) => ({
    ...command,
    env: Object.fromEntries(
      Object.entries(command.env).map(([name, value]) => [
        name,
        typeof value === "string" ? value : value.reveal(),
      ]),
    ),
  })),
  "keyed/of-one-workspace": workspaces(({ runOf }) => ({ runOf: async () => await runOf?.("a") })),
  "keyed/destroyed": (runtime) => {
    const known = new Map<string, RunHandle>();
    return workspaces(({ runOf, start }) => ({
      start: async (command, options) => {
        const handle = await start(command, options);
        if (command.key !== undefined) known.set(command.key, handle);
        return handle;
      },
      runOf: async (key, options) => known.get(key) ?? (await runOf?.(key, options)),
    }))(runtime);
  },
  "keyed/refused": withoutKey,
};

export const brokenUnkeyed: Readonly<Record<string, Breaking>> = { "keyed/unsupported": withoutKey };
