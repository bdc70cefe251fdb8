import type { CallOptions, SessionScope } from "@skillwright/core";
import type { Turns } from "./turns.js";

/** Asks for the end of the conversation's active turn and waits for it. Returns whether there was one. */
export async function stopTurn(
  turns: Turns,
  scope: SessionScope,
  options: CallOptions = {},
): Promise<boolean> {
  const active = await turns.active(scope, options);
  if (!active || !(await turns.requestStop(active, options))) return false;
  // No log is as long as this, so that only the end is waited for.
  await turns.wait(active, "events", Number.MAX_SAFE_INTEGER, options);
  return true;
}
