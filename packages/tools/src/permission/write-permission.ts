import { createHash } from "node:crypto";
import type { ToolContext } from "@skillwright/core";
import type { ApprovalDesk } from "./ask-approval.js";
import { shownChanges } from "./shown-changes.js";

/** True where writing a file of the workspace needs an approval first. */
export type MustAskToWrite = (question: { readonly path: string }) => boolean;

export interface WritePermission {
  /** Returns when this text may be written to the path. @throws SkillError `REFUSED` with the reason, `ABORTED`. */
  check(path: string, content: string, context: ToolContext): Promise<void>;
}

/** Asks where the application requires it, once for each path and text; an approval covers exactly these. */
export function writePermission(desk: ApprovalDesk, mustAsk: MustAskToWrite | undefined): WritePermission {
  async function check(path: string, content: string, context: ToolContext): Promise<void> {
    if (!mustAsk?.({ path })) return;
    const digest = `sha256:${createHash("sha256")
      .update(JSON.stringify([path, content]))
      .digest("hex")}`;
    const reason = "This application asks before a file is written.";
    const changes = await shownChanges([{ path, change: "added" }], {
      after: async () => Buffer.from(content),
    });
    await desk.askOnce({ action: "write", subject: path, digest, reason, changes }, context);
  }

  return { check };
}
