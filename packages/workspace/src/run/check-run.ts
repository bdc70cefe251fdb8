import { SkillError, type WorkspaceRun } from "@skillwright/core";
import { checkEditorText } from "./editor-script.js";
import { checkRunEnvironment } from "./run-environment.js";
import type { RunRules } from "./run-rules.js";

/** Maximum and default. */
const MAX_TIMEOUT_MS = 600_000;
const MAX_COMMAND_BYTES = 64 * 1024;

/**
 * Validates a run before anything is touched; returns the effective timeout.
 * @throws SkillError `INPUT_INVALID` for a blank command or skill name, a NUL in the command, a timeout that is not a
 * positive number and bad variables; `LIMIT_EXCEEDED` for a command above 64 KiB, variables above 32 KiB and a timeout
 * above 600,000 ms, which is refused instead of silently lowered; `REFUSED` for the network where no run may have it.
 */
export function checkRun(
  run: WorkspaceRun,
  { allowNetwork }: Pick<RunRules, "allowNetwork"> = { allowNetwork: false },
): { timeoutMs: number } {
  if (typeof run.command !== "string" || run.command.trim() === "")
    throw invalid("The command is missing. Give the text for the shell, such as `python3 scripts/run.py`.");
  if (run.command.includes("\0")) throw invalid("The command contains a NUL character. Remove it.");
  const bytes = Buffer.byteLength(run.command);
  if (bytes > MAX_COMMAND_BYTES)
    throw tooLarge(
      `The command has ${bytes} bytes; at most ${MAX_COMMAND_BYTES} are allowed. Write a script to work/ and run it.`,
      MAX_COMMAND_BYTES,
    );
  if (run.skill !== undefined && (typeof run.skill !== "string" || run.skill.trim() === ""))
    throw invalid("The skill's name is empty. Give the name of a skill, or leave it out to run without one.");
  if (run.cwd !== undefined && typeof run.cwd !== "string")
    throw invalid("cwd is not a string. Give a directory, or leave it out.");
  if (run.env !== undefined) checkRunEnvironment(run.env);
  if (run.editorText !== undefined) checkEditorText(run);
  if (run.network === true && !allowNetwork) throw noNetwork();
  return { timeoutMs: checkedTimeout(run.timeoutMs) };
}

function checkedTimeout(timeoutMs: number = MAX_TIMEOUT_MS): number {
  if (typeof timeoutMs !== "number" || !(timeoutMs > 0))
    throw invalid("The timeout is not a positive number of milliseconds. Correct it.");
  if (timeoutMs > MAX_TIMEOUT_MS)
    throw tooLarge(
      `The timeout of ${timeoutMs} ms is above the maximum of ${MAX_TIMEOUT_MS} ms. Give less, or split the work.`,
      MAX_TIMEOUT_MS,
    );
  return timeoutMs;
}

function noNetwork(): SkillError {
  return new SkillError(
    "REFUSED",
    "This run requests network access, which is not allowed here. Set `allowNetwork` in the options of workspaceManager, or " +
      "give what the command would download as an input.",
  );
}

function invalid(message: string): SkillError {
  return new SkillError("INPUT_INVALID", message);
}

function tooLarge(message: string, limit: number): SkillError {
  return new SkillError("LIMIT_EXCEEDED", message, { details: { limit } });
}
