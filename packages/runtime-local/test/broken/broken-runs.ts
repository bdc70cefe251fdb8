import { SkillError } from "@skillwright/core";
import type { RunCommand, RunHandle } from "@skillwright/core/adapter";
import { type Breaking, commands, handles, results, starting } from "./breaking.js";

/** Allows what the real runtime refuses. */
function lenient(code: string): Breaking {
  return starting((start) => async (command, options) => {
    try {
      return await start(command, options);
    } catch (error) {
      if (!SkillError.is(error) || error.code !== code) throw error;
      return await start({
        ...command,
        cwd: ".",
        env: {},
        runId: "other",
        timeoutMs: 1000,
        maxOutputBytes: 1000,
        command: "true",
      });
    }
  });
}

export const brokenRuns: Readonly<Record<string, Breaking>> = {
  "capabilities/result": results((result) => ({
    ...result,
    isolation: { level: "none", by: "I do not know" },
  })),
  "start/result": results((result) => ({ ...result, stderr: result.stdout })),
  "start/exit-codes": results((result) => ({ ...result, exitCode: Math.min(1, result.exitCode) })),
  "start/command": commands((command) => ({ ...command, command: `eval "${command.command}"` })),
  "start/no-startup-files": commands((command) => ({
    ...command,
    command: `test -f ~/.profile && . ~/.profile\n${command.command}`,
  })),
  "start/cwd": commands((command) => ({ ...command, cwd: "." })),
  "start/cwd-refused": lenient("FILE_NOT_FOUND"),
  "start/cwd-hostile": lenient("PATH_INVALID"),
  "start/run-directory": commands((command) => ({ ...command, runId: command.runId && "always-the-same" })),
  "start/same-run": commands((command) => ({ ...command, runId: `${command.runId}-${Math.random()}` })),
  "start/refused": lenient("INPUT_INVALID"),
  "start/aborted-before": starting((start) => (command) => start(command)),
  "start/together": starting((start) => {
    const live: RunHandle[] = [];
    return async (command, options) => {
      const handle = await start(command, options);
      live.push(handle);
      // As if all runs of a workspace were killed through their common user.
      handle.result.then(({ timedOut }) => timedOut && live.map((other) => other.signal("SIGKILL")));
      return handle;
    };
  }),
  "environment/clean": commands((command) => ({ ...command, env: { ...command.env, ...fromHost() } })),
  "environment/base": commands((command) => ({ ...command, env: { ...command.env, HOME: "/" } })),
  "environment/given": commands((command) => ({ ...command, env: { ...command.env, TOKEN: "***" } })),
  "environment/refused": lenient("INPUT_INVALID"),
  "environment/secrets-masked": commands((command) => ({ ...command, env: revealed(command.env) })),
  "environment/short-secret": results((result) => ({ ...result, diagnostics: [] })),
  // All of them before the base's.
  "environment/programs": commands(
    ({ programs: { before, after } = { before: [], after: [] }, ...command }) => ({
      ...command,
      programs: { before: [...before, ...after], after: [] },
    }),
  ),
  "environment/programs-own-path": starting((start, { root }) => ({ env, programs, ...command }, options) => {
    const before = (programs?.before ?? []).map((directory) => `${root}/${directory}:`).join("");
    const given = "PATH" in env ? { ...env, PATH: `${before}${env["PATH"]}` } : env;
    return start({ ...command, env: given, programs }, options);
  }),
  "environment/not-kept": starting((start) => {
    let kept = {};
    return async (command, options) => {
      kept = { ...kept, ...command.env };
      return await start({ ...command, env: kept }, options);
    };
  }),
  "end/timeout": results((result) => ({ ...result, timedOut: false, aborted: result.timedOut })),
  "end/abort": results((result) => ({ ...result, stdout: { ...result.stdout, text: "" } })),
  "end/signal-let-go": starting((start) => async (command, options) => {
    options?.signal?.addEventListener("abort", () => undefined);
    return await start(command, options);
  }),
  "end/stopped": commands((command) => ({ ...command, timeoutMs: command.timeoutMs + 60_000 })),
  "end/signal": handles((handle) => ({ signal: () => handle.signal("SIGKILL") })),
  "end/pipes": handles(({ result }) => ({
    result: result.then(async (ended) => {
      await new Promise((resolve) => setTimeout(resolve, 5000));
      return ended;
    }),
  })),
};

/** Like a runtime that treats a secret as an ordinary variable. */
function revealed(env: RunCommand["env"]): Record<string, string> {
  const values = Object.entries(env).map(([name, value]) => [
    name,
    typeof value === "string" ? value : value.reveal(),
  ]);
  return Object.fromEntries(values);
}

function fromHost(): Record<string, string> {
  const canary = process.env["SKILLWRIGHT_CANARY"];
  return canary === undefined ? {} : { SKILLWRIGHT_CANARY: canary };
}
