import type { Diagnostic } from "./diagnostic.js";

/**
 * Passes events to a listener, and returns its promise. A listener that throws or rejects is reported in a diagnostic, once, and does
 * not disturb the work.
 */
export function lenientListener<Event extends { readonly type: string }>(
  listener: ((event: Event) => unknown) | undefined,
  tell: (diagnostic: Diagnostic) => void,
): (event: Event) => Promise<void> | undefined {
  let hasFailed = false;
  function failed(type: string, error: unknown): undefined {
    if (hasFailed) return;
    hasFailed = true;
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
      return told instanceof Promise ? told.catch((error: unknown) => failed(event.type, error)) : undefined;
    } catch (error) {
      return failed(event.type, error);
    }
  };
}
