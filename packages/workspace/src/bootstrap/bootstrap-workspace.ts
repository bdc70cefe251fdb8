import { WORKSPACE_LAYOUT } from "@skillwright/core/adapter";
import { listIfThere } from "../files/list-if-there.js";
import { applyStep } from "./apply-step.js";
import type { BootstrapMark, BootstrapMarks } from "./bootstrap-marks.js";
import type { BootstrapPlace } from "./bootstrap-place.js";
import { overlap } from "./check-steps.js";
import type { PlannedStep } from "./plan-steps.js";

/**
 * Applies the steps, starting with the first that was not applied in its current form; does nothing where all were. A
 * step counts as applied only after it succeeded, so an interrupted one starts again.
 * @throws SkillError `BACKEND_FAILED` for a step that fails, `ABORTED`.
 */
export async function bootstrapWorkspace(
  steps: readonly PlannedStep[],
  marks: BootstrapMarks,
  place: BootstrapPlace,
): Promise<void> {
  if (steps.length === 0) return;
  const done = await marks.read();
  const first = steps.findIndex(({ key, fingerprint }) => done.get(key)?.fingerprint !== fingerprint);
  if (first < 0) return;
  const due = steps.slice(first);
  forget(done, due);
  await marks.write(done);
  const isUntouched = await holdsNothingButInputs(place);
  for (const planned of due) {
    await applyStep(planned, { ...place, isUntouched });
    const { key, fingerprint, step } = planned;
    done.set(key, { fingerprint, directories: step.cache ?? [] });
    await marks.write(done);
  }
}

/**
 * Also drops the marks of other steps, possibly of another skill, whose results are in a directory that is about to be
 * recreated.
 */
function forget(done: Map<string, BootstrapMark>, due: readonly PlannedStep[]): void {
  const directories = due.flatMap(({ step }) => step.cache ?? []);
  for (const { key } of due) done.delete(key);
  for (const [key, mark] of done)
    if (mark.directories.some((one) => directories.some((other) => overlap(one, other)))) done.delete(key);
}

/** Results are cached only then: otherwise leftovers of an earlier command or of a caller may have influenced them. */
async function holdsNothingButInputs({ workspace, cache, signal }: BootstrapPlace): Promise<boolean> {
  if (!cache) return false;
  const { work, out, runs, inputs } = WORKSPACE_LAYOUT;
  for (const directory of [runs, out, work]) {
    const found = await listIfThere(workspace, directory, { signal });
    if (found.some(({ path }) => path !== inputs && !path.startsWith(`${inputs}/`))) return false;
  }
  return true;
}
