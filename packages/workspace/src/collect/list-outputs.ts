import { type CallOptions, type Diagnostic, type RuntimeWorkspace, SkillError } from "@skillwright/core";
import type { FileStat } from "@skillwright/core/adapter";
import { listIfThere } from "../files/list-if-there.js";
import type { OutputGlob } from "./output-globs.js";
import type { OutputPlan } from "./output-plan.js";

/**
 * Lists everything in the directories that the plan's globs cover, by path. A directory that cannot be listed, for
 * instance because a command replaced it with a link, is reported and counts as empty.
 * @throws SkillError `WORKSPACE_NOT_FOUND`, `ABORTED`, `CLOSED`.
 */
export async function listOutputs(
  workspace: RuntimeWorkspace,
  plan: OutputPlan,
  { signal, tell }: CallOptions & { tell: (diagnostic: Diagnostic) => void },
): Promise<ReadonlyMap<string, FileStat>> {
  // A glob that covers no output directory still lists out/, for its diagnostic.
  const rootsOf = (glob: OutputGlob) => (glob.roots.length > 0 ? glob.roots : ["out" as const]);
  const roots = [...new Set(plan.globs.flatMap(rootsOf))].sort();
  const files = new Map<string, FileStat>();
  for (const root of roots)
    try {
      for (const file of await listIfThere(workspace, root, { signal })) files.set(file.path, file);
    } catch (error) {
      if (
        ["WORKSPACE_NOT_FOUND", "ABORTED", "CLOSED"].some(
          (code) => SkillError.is(error) && error.code === code,
        )
      )
        throw error;
      tell(notListed(root, error));
    }
  return files;
}

function notListed(root: string, error: unknown): Diagnostic {
  return {
    code: "output.list-failed",
    severity: "warning",
    message: `${root}/ could not be listed: ${error instanceof Error ? error.message : String(error)}`,
    hint: "Do not remove or replace out/, work/ and runs/; write files below them.",
    path: root,
  };
}
