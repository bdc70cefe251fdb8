import assert from "node:assert/strict";
import { SkillError, type SkillErrorCode } from "@skillwright/core";

/** Asserts that the work fails with a `SkillError` of that code, and returns the error. */
export async function failsWith(
  work: Promise<unknown>,
  code: SkillErrorCode,
  what = "",
): Promise<SkillError> {
  const outcome = await work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  const about = what && ` (${what})`;
  if (!("error" in outcome)) assert.fail(`Expected ${code}${about}, but the call succeeded.`);
  const { error } = outcome;
  if (!SkillError.is(error, code)) assert.fail(`Expected ${code}${about}, got: ${String(error)}`);
  return error;
}
