import type { AgentEvent, AgentEventListener } from "../agent/agent-event.js";

/** Passes each event on and collects those of `ChatResult.events`: all except text pieces and run output. */
export function collectedEvents(emit: AgentEventListener): {
  readonly events: readonly AgentEvent[];
  readonly emit: AgentEventListener;
} {
  const events: AgentEvent[] = [];
  return {
    events,
    emit: (event) => {
      if (event.type !== "text" && !isRunOutput(event)) events.push(event);
      return emit(event);
    },
  };
}

function isRunOutput(event: AgentEvent): boolean {
  return (
    event.type === "tool.progress" &&
    (event.event.type === "run.output" || event.event.type === "run.output-dropped")
  );
}
