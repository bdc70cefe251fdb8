import { createHash, randomBytes } from "node:crypto";
import type { SessionScope } from "@skillwright/core";
import { checkArtifactScope } from "@skillwright/core/adapter";

/** Creates an id for a workspace without a session: `ws_` and 128 random bits. */
export function randomWorkspaceId(): string {
  return `ws_${randomBytes(16).toString("hex")}`;
}

/**
 * Returns the id of the session's workspace, the same in every process and after every restart: `ws_` and 128 bits of a
 * hash.
 * @throws SkillError `INPUT_INVALID` for a scope with a missing, empty or too long part, or with control characters.
 */
export function sessionWorkspaceId(session: SessionScope): string {
  const { app, user, session: name } = session;
  checkArtifactScope({ app, user, session: name });
  const hash = createHash("sha256")
    .update(JSON.stringify([app, user, name]))
    .digest("hex");
  return `ws_${hash.slice(0, 32)}`;
}

/** False for ids that were not created here. Checked before the id reaches a runtime (rule of LIFE). */
export function isWorkspaceId(id: unknown): id is string {
  return typeof id === "string" && /^ws_[0-9a-f]{32}$/.test(id);
}
