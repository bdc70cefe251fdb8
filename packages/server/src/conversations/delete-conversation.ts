import { type ArtifactStore, type SessionScope, SkillError } from "@skillwright/core";
import type { ServerParts } from "../parts/server-parts.js";
import { stopTurn } from "../turns/stop-turn.js";

/**
 * Stops the turn, then removes workspace, events, messages and artifacts. The record
 * goes last: a deletion that failed is repeated by deleting again.
 * @param options.unchangedSince The ISO 8601 time of its last change. If it was changed since, nothing is removed.
 * @throws SkillError `SESSION_NOT_FOUND`.
 */
export async function deleteConversation(
  parts: ServerParts,
  user: string,
  id: string,
  options: { readonly unchangedSince?: string | undefined } = {},
): Promise<void> {
  const { conversations, runner } = parts;
  if (!(await conversations.beginDelete(user, id, options))) return;
  const scope = conversations.scopeOf(user, id);
  await stopTurn(parts, scope);
  await runner.idle(scope);
  await removeContent(parts, user, id);
}

/**
 * Does work that needs the conversation and may change its uploads. The conversation is changed afterwards, so that the next turn looks
 * for them. If the conversation was deleted meanwhile, removes what the work has made.
 * @throws SkillError `SESSION_NOT_FOUND` if the conversation does not exist, before or after the work; what the work throws.
 */
export async function whileItExists<T>(
  parts: ServerParts,
  user: string,
  id: string,
  work: (agent: string) => Promise<T>,
): Promise<T> {
  const { agent } = await parts.conversations.get(user, id);
  try {
    return await work(agent);
  } finally {
    await parts.conversations.touch(user, id).catch(async (error: unknown) => {
      if (SkillError.is(error, "SESSION_NOT_FOUND")) await removeContent(parts, user, id);
      throw error;
    });
  }
}

async function removeContent(parts: ServerParts, user: string, id: string): Promise<void> {
  const { conversations, turns, agents, workspaces, artifacts } = parts;
  const scope = conversations.scopeOf(user, id);
  await agents.forget(scope);
  await workspaces.destroy(scope);
  if (!parts.keepArtifacts) await removeArtifacts(artifacts, scope);
  await parts.approvals?.forget(scope);
  await turns.delete(scope);
  await conversations.delete(user, id);
}

export async function removeArtifacts(artifacts: ArtifactStore, scope: SessionScope): Promise<void> {
  for (const { name } of await artifacts.list(scope)) await artifacts.delete(scope, name);
}
