import type { RunOutput } from "@skillwright/core";
import { printable } from "./printable.js";
import type { Screen } from "./screen.js";

const MOST_LINES = 40;

/** Shows live output of a command, line by line after a bar; long output is cut on screen, with a note. */
export function outputView(screen: Screen): {
  write(stream: RunOutput["stream"], text: string): void;
  /** Shows the rest of an unfinished line. */
  end(): void;
} {
  const { colours } = screen;
  const pending = { stdout: "", stderr: "" };
  let shown = 0;
  let hidden = 0;

  function line(stream: RunOutput["stream"], text: string): void {
    if (shown >= MOST_LINES) {
      hidden++;
      return;
    }
    shown++;
    const bar = stream === "stderr" ? colours.yellow("│") : colours.dim("│");
    screen.line(`    ${bar} ${text}`);
  }

  return {
    write: (stream, text) => {
      const lines = printable(pending[stream] + text).split("\n");
      pending[stream] = lines.pop() ?? "";
      for (const one of lines) line(stream, one);
    },
    end: () => {
      for (const stream of ["stdout", "stderr"] as const) {
        if (pending[stream]) line(stream, pending[stream]);
        pending[stream] = "";
      }
      if (hidden > 0) screen.line(`    ${colours.dim(`│ ... ${hidden} more lines`)}`);
      shown = 0;
      hidden = 0;
    },
  };
}
