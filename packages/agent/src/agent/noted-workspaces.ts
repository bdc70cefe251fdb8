import type { Workspaces } from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import type { PendingUploads } from "./pending-uploads.js";

/** Workspaces of one conversation, whose use is noted once, so that a later turn sees that its workspace is gone. */
export function notedWorkspaces(workspaces: Workspaces, { noteWorkspace }: PendingUploads): Workspaces {
  let noted: string | undefined;
  return delegate(workspaces, {
    forSession: async (session, options) => {
      const info = await workspaces.forSession(session, options);
      if (noted === info.createdAt) return info;
      noted = info.createdAt;
      // The work that needs the workspace does not depend on the note.
      await noteWorkspace(info, options).catch(() => {
        noted = undefined;
      });
      return info;
    },
  });
}
