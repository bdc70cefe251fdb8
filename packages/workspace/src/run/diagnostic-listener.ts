import type { Diagnostic } from "@skillwright/core";

/** Wraps the listener for use where no caller could catch its exceptions: they become process warnings. */
export function diagnosticListener(
  listener: ((diagnostic: Diagnostic) => void) | undefined,
): (diagnostic: Diagnostic) => void {
  return (diagnostic) => {
    try {
      listener?.(diagnostic);
    } catch (error) {
      process.emitWarning(
        `The onDiagnostic listener failed at ${diagnostic.code}: ${String(error)}`,
        "SkillwrightWarning",
      );
    }
  };
}
