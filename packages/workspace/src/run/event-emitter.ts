import type { Diagnostic, RunEvent, RunEventListener } from "@skillwright/core";

/**
 * Passes events to a listener, and returns its promise. A listener that fails is reported in a diagnostic, once, and does
 * not disturb the work.
 */
export function eventEmitter(
  listener: RunEventListener | undefined,
  tell: (diagnostic: Diagnostic) => void,
): RunEventListener {
  let failed = false;
  function report(type: RunEvent["type"], error: unknown): void {
    if (failed) return;
    failed = true;
    tell({
      code: "event.listener-failed",
      severity: "warning",
      message: `The onEvent listener threw at "${type}": ${error instanceof Error ? error.message : String(error)}`,
      hint: "Catch errors inside the listener.",
    });
  }
  return (event) => {
    try {
      const told = listener?.(event);
      return told instanceof Promise ? told.catch((error: unknown) => report(event.type, error)) : undefined;
    } catch (error) {
      return report(event.type, error);
    }
  };
}
