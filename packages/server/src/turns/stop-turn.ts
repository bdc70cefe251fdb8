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
  await turns.ended(active, options);
  return true;
}
