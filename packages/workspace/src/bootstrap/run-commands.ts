import { type RunResult, SkillError } from "@skillwright/core";
import type { BootstrapPlace } from "./bootstrap-place.js";
import type { PlannedStep } from "./plan-steps.js";
import { runBootstrapCommand } from "./run-bootstrap-command.js";

const DEFAULT_TIMEOUT_MS = 300_000;
const SHOWN_LINES = 12;
const SHOWN_CHARACTERS = 2_000;

/**
 * Runs the step's commands one after the other. `isOver` is true where none of their processes is left, as far as the
 * isolation guarantees this.
 * @throws SkillError `BACKEND_FAILED` for the first that fails or times out; `ABORTED`.
 */
export async function runCommands(
  { step, skill }: PlannedStep,
  place: BootstrapPlace,
): Promise<{ isOver: boolean }> {
  const { commands = [], timeoutMs = DEFAULT_TIMEOUT_MS, network } = step;
  const env = await place.variables();
  let isOver = true;
  for (const [index, command] of commands.entries()) {
    const result = await runBootstrapCommand({ command, skill, env, timeoutMs, network }, place);
    if (result.aborted) throw new SkillError("ABORTED", `The bootstrap step "${step.name}" was aborted.`);
    if (result.exitCode !== 0) throw stepFailed(step.name, index, result, commands.length);
    // Without isolation no run can guarantee it, and a process that leaves its process group has all of the user's
    // rights anyway.
    isOver &&= result.treeEnded || result.isolation.level === "none";
  }
  return { isOver };
}

function stepFailed(step: string, index: number, result: RunResult, commands: number): SkillError {
  const { exitCode, timedOut } = result;
  const how = timedOut ? "exceeded its timeout" : `ended with exit code ${exitCode}`;
  const said = lastLines(result);
  const output = said === "" ? "It printed nothing." : `Its last output:\n${said}`;
  return new SkillError(
    "BACKEND_FAILED",
    `The workspace could not be prepared, so the run was not started: command ${index + 1} of ` +
      `${commands} of the bootstrap step "${step}" ${how}. Fix the error shown below, or correct the step in the options of ` +
      `workspaceManager; the next run tries the step again. ${output}`,
    { details: { step, command: index + 1, exitCode, timedOut } },
  );
}

function lastLines({ stdout, stderr }: RunResult): string {
  const text = stderr.text.trim() === "" ? stdout.text : stderr.text;
  return text.trim().split("\n").slice(-SHOWN_LINES).join("\n").slice(-SHOWN_CHARACTERS);
}
