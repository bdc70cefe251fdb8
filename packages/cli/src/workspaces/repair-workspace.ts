import { SkillError } from "@skillwright/core";
import type { CliContext } from "../cli-context.js";
import { type KeptPlace, kept } from "./kept-workspaces.js";

/**
 * Repairs the workspace with this id in this place. Returns `false` if it is not damaged.
 * @throws SkillError `WORKSPACE_NOT_FOUND`; `UNSUPPORTED` for what a later version made.
 */
export async function repairWorkspace(
  id: string,
  place: KeptPlace,
  { cwd, signal }: Pick<CliContext, "cwd" | "signal">,
): Promise<boolean> {
  for (const opened of await kept(place, cwd)) {
    await using one = opened;
    if ((await one.runtime.list({ signal })).includes(id)) return await one.workspaces.repair(id, { signal });
  }
  throw new SkillError(
    "WORKSPACE_NOT_FOUND",
    `The workspace ${JSON.stringify(id.slice(0, 80))} does not exist. Run \`skillwright workspaces list\` to see the ids, or give another place with --root, --data or --records.`,
  );
}
