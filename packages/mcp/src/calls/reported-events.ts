import type { ServerContext } from "@modelcontextprotocol/server";
import type { RunEvent, RunEventListener } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";

const MAX_CHARACTERS = 500;

/**
 * Tells the client what a call does: as log messages, and as progress if the client asked for it. Output of commands is sent as
 * progress only.
 */
export function eventTeller(tool: string, ctx: ServerContext): RunEventListener {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  let progress = 0;
  return async (event) => {
    const message = eventLine(event);
    if (message === undefined) return;
    if (progressToken !== undefined)
      // A message that cannot be sent does not stop the command. The end of the connection stops it.
      await ctx.mcpReq
        .notify({
          method: "notifications/progress",
          params: { progressToken, progress: ++progress, message },
        })
        .catch(() => undefined);
    // A message that cannot be sent does not stop the command.
    if (event.type !== "run.output") await ctx.mcpReq.log("info", message, tool).catch(() => undefined);
  };
}

/** Returns one line for a person, or `undefined` for an event that a person need not see. */
function eventLine(event: RunEvent): string | undefined {
  switch (event.type) {
    case "workspace.created":
      return "The workspace is ready.";
    case "skill.staged":
      return event.changed ? line(`Staged the skill ${event.skill}: ${event.files} files.`) : undefined;
    case "bootstrap.started":
      return line(`Prepares the workspace: ${event.step}.`);
    case "input.staged":
      return line(`Brought in ${event.path}.`);
    case "run.started":
      return line(`Runs: ${event.command}`);
    case "run.output":
      return lastLine(event.text);
    case "run.output-dropped":
      return `${event.bytes} bytes of ${event.stream} are not shown here.`;
    case "run.ended":
      return event.timedOut ? "The command ran out of time." : `The command ended with ${event.exitCode}.`;
    case "output.collected":
      return line(`Collected ${event.path}.`);
    case "artifact.saved":
      return line(`Saved ${event.name}, version ${event.version}.`);
    case "bootstrap.ended":
      return event.ok ? undefined : line(`The step ${event.step} failed.`);
    default:
      return undefined;
  }
}

function lastLine(text: string): string | undefined {
  const shown = text.split("\n").findLast((part) => part.trim() !== "");
  return shown === undefined ? undefined : line(shown);
}

function line(text: string): string {
  return shownLine(text.slice(0, MAX_CHARACTERS)).trim();
}
