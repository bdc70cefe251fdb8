import type { RunEventListener } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import type { CliContext } from "../cli-context.js";
import { counted, formatBytes, formatDuration } from "../terminal/amounts.js";

/** Shows progress live; the command's own output passes through unchanged. */
export function runProgress({ stdout, stderr, errorStyle, remark }: CliContext): RunEventListener {
  return (event) => {
    switch (event.type) {
      case "skill.staged":
        return remark(
          errorStyle.dim(
            `  stage ${shownLine(event.skill)} (${counted(event.files, "file")}, ${formatBytes(event.bytes)}, ${formatDuration(event.durationMs)})`,
          ),
        );
      case "run.started":
        return remark(errorStyle.dim(`  run   ${shownLine(event.command)}`));
      case "run.output":
        return void (event.stream === "stdout" ? stdout : stderr).write(event.text);
      default:
        return undefined;
    }
  };
}
