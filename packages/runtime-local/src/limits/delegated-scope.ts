import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";
import { isRoot } from "../host/credentials.js";
import type { ServerScope } from "../served/own-server.js";
import { ownControlGroups } from "./control-group-hierarchies.js";
import type { GroupParents } from "./control-groups.js";
import { parentsBelow } from "./find-group-parents.js";
import { type NoGroups, noScope, notMounted } from "./no-groups.js";
import { systemdEnvironment } from "./systemd-units.js";

export interface DelegatedScope {
  /** Puts the process that starts runs into a new scope of systemd. This process stays where it is. */
  readonly server: ServerScope;
  /** Where groups can be created: below the scope of the process that starts runs now. */
  parents(): { readonly parents: GroupParents; readonly missing: NoGroups | undefined };
}

/** A scope of systemd ends with its last process, so it holds the process that starts the runs. */
export function delegatedScope({
  runner,
  slice,
}: {
  readonly runner: string;
  readonly slice: string | undefined;
}): DelegatedScope {
  let found: ReturnType<typeof parentsBelow> = { missing: notMounted };
  return {
    server: {
      command: () => [
        runner,
        ...(isRoot() ? [] : ["--user"]),
        ...["--scope", "--quiet", "--collect", "--property=Delegate=yes"],
        ...(slice === undefined ? [] : [`--slice=${slice}`]),
        `--unit=skillwright-${process.pid}-${randomBytes(8).toString("hex")}`,
        "--",
      ],
      env: systemdEnvironment(),
      entered: (pid) => {
        const { unified } = ownControlGroups(`/proc/${pid}`);
        found = unified ? parentsBelow(join(unified.mountPoint, unified.name)) : { missing: notMounted };
      },
      failed: (said) => unavailable(noScope(said)),
    },
    parents: () => {
      if ("parents" in found) return found;
      throw unavailable(found.missing);
    },
  };
}

function unavailable(missing: NoGroups): SkillError {
  return new SkillError("BACKEND_FAILED", `Runs cannot be limited now: ${missing.why}. ${missing.remedy}.`, {
    details: { ...missing },
  });
}
