import { SkillError } from "@skillwright/core";
import { CommanderError } from "commander";

/** A failure as JSON; `code` is that of the `SkillError`, otherwise `USAGE` or `UNEXPECTED`. */
export function failureJson(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return JSON.stringify({ formatVersion: 1, error: { code: codeOf(error), message } }, undefined, 2);
}

function codeOf(error: unknown): string {
  if (SkillError.is(error)) return error.code;
  return error instanceof CommanderError ? "USAGE" : "UNEXPECTED";
}
