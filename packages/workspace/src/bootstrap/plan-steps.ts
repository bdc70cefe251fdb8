import { createHash } from "node:crypto";
import type { BootstrapStep } from "./bootstrap-step.js";

export interface PlannedStep {
  readonly step: BootstrapStep;
  /** The skill that the step belongs to. Missing for a step of every workspace. */
  readonly skill: string | undefined;
  /** Identifies the step in a workspace, independent of its fingerprint. */
  readonly key: string;
  /** 64 hexadecimal digits. */
  readonly fingerprint: string;
}

/**
 * Returns the steps with their fingerprints. A changed step changes the fingerprints of the following ones, since they
 * may build on its results.
 */
export function planSteps(
  steps: readonly BootstrapStep[],
  skill: { readonly name: string; readonly digest: string } | undefined,
): readonly PlannedStep[] {
  let before = sha256(JSON.stringify(["skillwright-bootstrap-1", skill?.digest ?? null]));
  return steps.map((step) => {
    const { name, files = [], commands = [], network = false, cache = [] } = step;
    const contents = files.map((file) => [file.path, file.executable === true, sha256(file.content)]);
    const declared = [before, name, contents, commands, network, cache];
    before = sha256(JSON.stringify(declared));
    const key = JSON.stringify([skill?.name ?? null, name]);
    return { step, skill: skill?.name, key, fingerprint: before };
  });
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
