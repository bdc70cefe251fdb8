import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import type { SkillToolsPreset } from "@skillwright/tools";
import { workspaceManager } from "@skillwright/workspace";

/** Names of all tools that an agent of these packages can have, whatever its preset and options. Runs nothing. */
export async function offeredTools(): Promise<ReadonlySet<string>> {
  // Imported only here, because no other command needs it.
  const { skillTools } = await import("@skillwright/tools");
  await using runtime = localRuntime({ isolation: "none" });
  await using skills = skillBox({});
  await using workspaces = workspaceManager({ skills, runtime });
  const everything = { skills, workspaces, search: true, manage: true, calls: true, interactive: true };
  const presets = Object.keys(PRESETS) as readonly SkillToolsPreset[];
  return new Set(presets.flatMap((preset) => skillTools({ ...everything, preset }).map(({ name }) => name)));
}

/** A missing preset here does not compile. */
const PRESETS: Readonly<Record<SkillToolsPreset, true>> = { load: true, activate: true, read: true };
