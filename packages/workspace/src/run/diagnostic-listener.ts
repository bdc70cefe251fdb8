import type { Diagnostic } from "@skillwright/core";

/** The listener, safe to call where nobody could catch: what it throws becomes a process warning. */
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
