import type { Diagnostic } from "@skillwright/core";
import type { IsolationInForce } from "./isolation-in-force.js";

/** Reports that commands are not isolated, and how to get a sandbox if one was requested. Empty if commands are isolated. */
export function notIsolated({
  isolation,
  remedy,
}: Pick<IsolationInForce, "isolation" | "remedy">): readonly Diagnostic[] {
  if (isolation.level !== "none") return [];
  const own = "run only commands that you would run yourself";
  return [
    {
      code: "isolation.none",
      severity: "warning",
      message: `Commands are not isolated: they have all permissions of this user, and no default limits. The reason: ${isolation.by}.`,
      hint:
        remedy === undefined ? `Use a sandbox or a container, or ${own}.` : `${remedy}. Until then ${own}.`,
    },
  ];
}
