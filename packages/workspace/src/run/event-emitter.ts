import type { Diagnostic, RunEvent, RunEventListener } from "@skillwright/core";

/**
 * Passes events to a listener. A listener that throws is reported in a diagnostic, once, and does not disturb the work.
 */
export function eventEmitter(
  listener: RunEventListener | undefined,
  tell: (diagnostic: Diagnostic) => void,
): (event: RunEvent) => void {
  let failed = false;
  return (event) => {
    try {
      listener?.(event);
    } catch (error) {
      if (failed) return;
      failed = true;
      tell({
        code: "event.listener-failed",
        severity: "warning",
        message: `The onEvent listener threw at "${event.type}": ${error instanceof Error ? error.message : String(error)}`,
        hint: "Catch errors inside the listener.",
      });
    }
  };
}
