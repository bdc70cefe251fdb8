import { SkillError } from "@skillwright/core";

/** The `SkillError` that the call failed with; anything else fails the test. */
export async function failure(call: Promise<unknown>): Promise<SkillError> {
  const error = await call.then(
    () => new Error("The call went well."),
    (reason: unknown) => reason,
  );
  if (SkillError.is(error)) return error;
  throw error;
}

/** All printed text of an error, including its causes. */
export function printed(error: SkillError): string {
  const causes: unknown[] = [];
  for (let next: unknown = error; next instanceof Error; next = next.cause)
    causes.push(next.message, next.stack, JSON.stringify(next));
  return JSON.stringify([causes, error.details]);
}
