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
  await using opened = await kept(place, cwd);
  const { runtime, workspaces } = opened;
  if (!(await runtime.list({ signal })).includes(id))
    throw new SkillError(
      "WORKSPACE_NOT_FOUND",
      `The workspace ${JSON.stringify(id.slice(0, 80))} does not exist. Run \`skillwright workspaces list\` to see the ids, or give another place with --root, --data or --records.`,
    );
  return await workspaces.repair(id, { signal });
}
