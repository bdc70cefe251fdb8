import { type Diagnostic, SkillError } from "@skillwright/core";
import type { WorkspaceManager } from "@skillwright/workspace";

/**
 * Sweeps in the background and passes what was found to the listener, as well as a failure. After `isEnding`, nothing is
 * passed on.
 */
export function sweepAtStart(
  workspaces: Pick<WorkspaceManager, "sweep">,
  tell: (diagnostic: Diagnostic) => void = () => undefined,
  isEnding: () => boolean,
): void {
  const found = workspaces.sweep().then(
    ({ diagnostics }) => diagnostics,
    (error: unknown) => [failed(error)],
  );
  void found
    .then((diagnostics) => (isEnding() ? undefined : diagnostics.forEach(tell)))
    .catch((error: unknown) =>
      process.emitWarning(`The onDiagnostic listener failed: ${String(error)}`, "SkillwrightWarning"),
    );
}

function failed(error: unknown): Diagnostic {
  return {
    code: "sweep.failed",
    severity: "warning",
    message: `The workspaces of earlier agents could not be swept: ${SkillError.from(error, "Sweeping").message}`,
    hint: "Check the registry and the runtime. The next agent tries again.",
  };
}
