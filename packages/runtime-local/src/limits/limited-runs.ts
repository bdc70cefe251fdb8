import { SkillError } from "@skillwright/core";
import type { IsolationInForce } from "../isolation/isolation-in-force.js";
import { type OwnServer, ownServer } from "../served/own-server.js";
import { type OwnGroups, ownControlGroups } from "./control-group-hierarchies.js";
import { type ControlGroups, type GroupParents, limitsBelow, openGroup } from "./control-groups.js";
import { delegatedScope } from "./delegated-scope.js";
import { findGroupParents } from "./find-group-parents.js";
import { groupNames } from "./group-names.js";
import { type NoGroups, noSandboxForGroups, noSupervisorForGroups } from "./no-groups.js";
import { ownSystemd } from "./systemd-units.js";

/** The process that starts runs, and the control groups for them. */
export interface LimitedRuns {
  readonly server: OwnServer | undefined;
  /** `undefined` if no limit can be enforced with control groups. */
  readonly groups: ControlGroups | undefined;
  /** Why limits of groups, or some of them, are missing. */
  readonly noGroups: NoGroups | undefined;
}

/** Finds the control groups and creates the process that starts runs. The supervisor makes each command join its group. */
export async function limitedRuns(
  { supervisor, sandbox }: Pick<IsolationInForce, "supervisor" | "sandbox">,
  own: OwnGroups = ownControlGroups(),
  systemd = ownSystemd,
): Promise<LimitedRuns> {
  if (supervisor === undefined)
    return { server: undefined, groups: undefined, noGroups: noSupervisorForGroups };
  const without = (noGroups: NoGroups) => ({ server: ownServer(supervisor), groups: undefined, noGroups });
  if (!sandbox) return without(noSandboxForGroups);
  const found = await findGroupParents(own, systemd);
  if ("parents" in found) {
    const groups = groupsBelow(found.parents, async () => found.parents);
    return { server: ownServer(supervisor), groups, noGroups: found.missing };
  }
  if (!("scope" in found)) return without(found.missing);
  const scope = delegatedScope(found.scope);
  const server = ownServer(supervisor, scope.server);
  try {
    await server.open();
    const { parents, missing } = scope.parents();
    // The process may have been killed since the last run; the next one is in another scope.
    const current = async () => {
      await server.open();
      return scope.parents().parents;
    };
    return { server, groups: groupsBelow(parents, current), noGroups: missing };
  } catch (error) {
    server.close();
    return without(missingOf(error));
  }
}

function groupsBelow(first: GroupParents, current: () => Promise<GroupParents>): ControlGroups {
  const name = groupNames();
  return { limits: limitsBelow(first), open: async (wanted) => openGroup(await current(), wanted, name()) };
}

/** Returns the reason and the remedy from the details of an error of the scope. */
function missingOf(error: unknown): NoGroups {
  const { why, remedy } = SkillError.from(error, "Starting a scope of systemd").details ?? {};
  return { why: String(why ?? error), remedy: String(remedy ?? "Check `systemctl --user status`") };
}
