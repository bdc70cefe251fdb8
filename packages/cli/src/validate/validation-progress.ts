import type { CliContext } from "../cli-context.js";
import { counted } from "../terminal/amounts.js";
import { cutToWidth } from "../terminal/text-width.js";

/** A progress line on standard error. */
export interface ValidationProgress {
  show(done: number, errors: number): void;
  /** Removes the line: before other output, and at the end. */
  clear(): void;
}

const MANY = 200;
const PATIENCE_MS = 300;
const REDRAW_MS = 100;
const ERASE = "\r\u001b[2K";

/** Shows nothing where standard error is not a terminal, nor for small amounts of work. */
export function validationProgress(total: number, context: CliContext): ValidationProgress {
  const { stderr, env } = context;
  const isSeen = stderr.isTTY === true && env["TERM"] !== "dumb";
  const started = performance.now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isDrawn = false;
  return {
    show(done, errors) {
      const now = performance.now();
      const isLong = total > MANY || now - started > PATIENCE_MS;
      if (!isSeen || !isLong || now - drawnAt < REDRAW_MS) return;
      const line = `${done.toLocaleString("en")} of ${counted(total, "skill")}, ${counted(errors, "error")}`;
      // A terminal that does not know its width reports 0.
      const shown = cutToWidth(line, (stderr.columns || 80) - 1);
      stderr.write(`${ERASE}${context.errorStyle.dim(shown)}`);
      drawnAt = now;
      isDrawn = true;
    },
    clear() {
      if (isDrawn) stderr.write(ERASE);
      isDrawn = false;
    },
  };
}
