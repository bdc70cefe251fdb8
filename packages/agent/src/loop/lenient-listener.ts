import type { Diagnostic } from "@skillwright/core";
import type { AgentEvent, AgentEventListener } from "../agent/agent-event.js";

/**
 * Passes events to a listener that may throw or reject without disturbing the turn; the first failure is told. The promise for the output
 * of a command is passed on, because the next output waits for it.
 */
export function lenientListener(
  listener: AgentEventListener | undefined,
  tell: (diagnostic: Diagnostic) => void,
): AgentEventListener {
  let hasFailed = false;
  function failed(type: AgentEvent["type"], error: unknown): void {
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
