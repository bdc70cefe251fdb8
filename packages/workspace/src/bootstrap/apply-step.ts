import { SkillError } from "@skillwright/core";
import { withSpan } from "@skillwright/core/adapter";
import type { BootstrapPlace } from "./bootstrap-place.js";
import { restoreTree, storeTree } from "./cached-tree.js";
import type { PlannedStep } from "./plan-steps.js";
import { runCommands } from "./run-commands.js";

/** @throws SkillError as `bootstrapWorkspace`; the step must then be applied from its beginning. */
export async function applyStep(
  planned: PlannedStep,
  place: BootstrapPlace & { readonly isUntouched: boolean },
): Promise<void> {
  const { skill, step } = planned;
  const { workspace, emit } = place;
  const event = { workspaceId: workspace.id, step: step.name, ...(skill === undefined ? {} : { skill }) };
  const started = performance.now();
  let ok = false;
  let fromCache = false;
  emit({ type: "bootstrap.started", ...event });
  const attributes = {
    workspaceId: workspace.id,
    fingerprint: planned.fingerprint,
    files: step.files?.length ?? 0,
    commands: step.commands?.length ?? 0,
    ...(skill === undefined ? {} : { skill }),
  };
  try {
    await withSpan("workspace.bootstrap", attributes, async (set) => {
      fromCache = await apply(planned, place);
      set({ fromCache });
    });
    ok = true;
  } finally {
    emit({ type: "bootstrap.ended", ...event, ok, fromCache, durationMs: performance.now() - started });
  }
}

/** Returns true where an earlier result was reused instead of running the commands. */
async function apply(
  planned: PlannedStep,
  place: BootstrapPlace & { readonly isUntouched: boolean },
): Promise<boolean> {
  const { commands = [] } = planned.step;
  await prepare(planned, place);
  if (commands.length === 0) return false;
  const restored = await restoreTree(planned, place);
  if (restored === "restored") return true;
  if (restored === "failed") await prepare(planned, place);
  const { isOver } = await runCommands(planned, place);
  await storeTree(planned, { ...place, isOver });
  return false;
}

/** Removes the step's directories and writes its files. */
async function prepare({ step }: PlannedStep, { workspace, signal }: BootstrapPlace): Promise<void> {
  const { cache = [], files = [] } = step;
  if (cache.length > 0 && !workspace.remove) throw noRemoval(step.name);
  for (const directory of cache) await workspace.remove?.(directory, { signal });
  const entries = files.map(({ path, content, executable = false }) => ({ path, content, executable }));
  if (entries.length > 0) await workspace.put(entries, { signal });
}

function noRemoval(step: string): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    `The bootstrap step ${JSON.stringify(step)} names directories to cache, but this runtime cannot remove directories. ` +
      "Leave `cache` out.",
  );
}
