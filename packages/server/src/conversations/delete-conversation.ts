import type { ServerParts } from "../parts/server-parts.js";
import { stopTurn } from "../turns/stop-turn.js";

/**
 * Stops the turn, then removes workspace, events and messages, and artifacts where the server is set up so. The record
 * goes last: a deletion that failed is repeated by deleting again.
 * @throws SkillError `SESSION_NOT_FOUND`.
 */
export async function deleteConversation(parts: ServerParts, user: string, id: string): Promise<void> {
  const { conversations, turns, agents, workspaces, artifacts, runner } = parts;
  await conversations.get(user, id);
  const scope = conversations.scopeOf(user, id);
  // The end of a turn starts what waits.
  await conversations.queue.clear(user, id);
  await stopTurn(turns, scope);
  await runner.idle(scope);
  await agents.forget(scope);
  const workspace = await workspaces.find(scope);
  if (workspace !== undefined) await workspaces.manager.destroy(workspace);
  if (parts.deleteArtifacts)
    for (const { name } of await artifacts.list(scope)) await artifacts.delete(scope, name);
  await parts.approvals?.forget(scope);
  await turns.delete(scope);
  await conversations.delete(user, id);
}
