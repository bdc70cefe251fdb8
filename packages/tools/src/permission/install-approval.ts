import type { ToolContext, WorkspaceRunOptions } from "@skillwright/core";
import type { ApprovalDesk } from "./ask-approval.js";

/** Lets the workspaces ask whether packages may be installed, also for a skill of a trusted source. */
export function installing(
  desk: ApprovalDesk,
  context: ToolContext,
): Required<Pick<WorkspaceRunOptions, "approveInstall">> {
  return {
    async approveInstall({ skill, digest, source, installs }) {
      const count = installs.reduce((sum, { packages }) => sum + packages.length, 0);
      const subject = installs
        .map(({ declaredIn, packages, fromSkill }) => {
          const list = packages.map(({ name, version }) => `${name} ${version}`).join(", ");
          return `${declaredIn}${fromSkill ? " (files of the skill)" : ""}: ${list}`;
        })
        .join("\n");
      const reason = `The skill "${skill}" needs ${count === 1 ? "a package" : `${count} packages`} not yet installed on this machine.`;
      await desk.askOnce({ action: "install", skill, digest, source, subject, reason }, context);
      return true;
    },
  };
}
