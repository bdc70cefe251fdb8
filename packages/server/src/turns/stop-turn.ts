import { setTimeout as delay } from "node:timers/promises";
import { openRunKeys } from "@skillwright/agent";
import type { CallOptions, SessionScope } from "@skillwright/core";
import { runIdOf } from "@skillwright/core/adapter";
import type { TurnKey } from "@skillwright/records";
import type { ServerParts } from "../parts/server-parts.js";
import { turnInput } from "./turn-input.js";

/** The time that the turn's own process has to stop it. After that, this process ends its commands. */
const PATIENCE_MS = 500;

/**
 * Asks for the end of the conversation's active turn and waits for it. If the turn's own process is slow or has died, this process
 * ends the commands, and the turn ends when another process takes it over. Returns whether there was a turn.
 */
export async function stopTurn(
  parts: Pick<ServerParts, "turns" | "agents" | "sessions" | "workspaces" | "runtime" | "failed">,
  scope: SessionScope,
  options: CallOptions = {},
): Promise<boolean> {
  const { turns } = parts;
  const active = await turns.active(scope, options);
  if (!active || !(await turns.requestStop(active, options))) return false;
  const ended = turns.ended(active, options);
  const isSlow = await Promise.race([ended.then(() => false), delay(PATIENCE_MS, true)]);
  // If this fails, the process that takes the turn over ends the commands.
  if (isSlow)
    await endCommands(parts, active).catch((error: unknown) =>
      parts.failed("Ending the commands of a turn", error),
    );
  await ended;
  return true;
}

async function endCommands(
  { turns, agents, sessions, workspaces, runtime }: Parameters<typeof stopTurn>[0],
  turn: TurnKey,
): Promise<void> {
  const { scope } = turn;
  const name = (await turnInput(turns, turn))?.agent ?? "";
  const { state = {} } = (await sessions.get(scope)) ?? {};
  const keys = openRunKeys(state, turn.turn, agents.served[name]?.agent);
  const id = keys.length > 0 ? await workspaces.find(scope) : undefined;
  const workspace = id && (await runtime.attach(id));
  if (!workspace) return;
  for (const key of keys) {
    const ending = new AbortController();
    const run = await workspace.runOf(runIdOf(key), { signal: ending.signal });
    ending.abort();
    await run?.result;
  }
}
