import type { Workspaces } from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import type { PendingUploads } from "./pending-uploads.js";

/** Notes the workspace of a conversation when it is first used, so that a later turn finds out if it is gone. */
export function notedWorkspaces(workspaces: Workspaces, { noteWorkspace }: PendingUploads): Workspaces {
  let noted: string | undefined;
  return delegate(workspaces, {
    forSession: async (session, options) => {
      const info = await workspaces.forSession(session, options);
      if (noted === info.createdAt) return info;
      noted = info.createdAt;
      // A note that fails does not stop the work in the workspace; the next use notes it again.
      await noteWorkspace(info, options).catch(() => {
        noted = undefined;
      });
      return info;
    },
  });
}
