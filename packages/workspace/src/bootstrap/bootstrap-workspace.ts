import { WORKSPACE_LAYOUT } from "@skillwright/core";
import { listIfThere } from "../files/list-if-there.js";
import { applyStep } from "./apply-step.js";
import type { BootstrapMark, BootstrapMarks } from "./bootstrap-marks.js";
import type { BootstrapPlace } from "./bootstrap-place.js";
import { overlap } from "./check-steps.js";
import type { PlannedStep } from "./plan-steps.js";

/**
 * Applies the steps from the first that was not applied as it is declared now; nothing is done where all were. A step
 * counts as applied only when it has ended well, so that one that was interrupted begins anew.
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

/** Also of other steps, those of another skill perhaps, that keep their results in a directory that is now made anew. */
function forget(done: Map<string, BootstrapMark>, due: readonly PlannedStep[]): void {
  const directories = due.flatMap(({ step }) => step.cache ?? []);
  for (const { key } of due) done.delete(key);
  for (const [key, mark] of done)
    if (mark.directories.some((one) => directories.some((other) => overlap(one, other)))) done.delete(key);
}

/** Only then nothing that an earlier command or a caller left can have shaped what the steps make. */
async function holdsNothingButInputs({ workspace, cache, signal }: BootstrapPlace): Promise<boolean> {
  if (!cache) return false;
  const { work, out, runs, inputs } = WORKSPACE_LAYOUT;
  for (const directory of [runs, out, work]) {
    const found = await listIfThere(workspace, directory, { signal });
    if (found.some(({ path }) => path !== inputs && !path.startsWith(`${inputs}/`))) return false;
  }
  return true;
}
