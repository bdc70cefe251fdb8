import { containedPath, type Diagnostic, type RunOutputs, SkillError } from "@skillwright/core";
import type { PathContext } from "../path/locate-path.js";
import { type OutputGlob, outputGlobs } from "./output-globs.js";

const DEFAULTS = { maxFiles: 100, maxFileBytes: 4 * 1024 * 1024, maxTotalBytes: 64 * 1024 * 1024 };

/** What of one file is held in memory at most, whatever the caller allows for saving. */
const INLINE_CAP = 16 * 1024 * 1024;

/** `RunOutputs` checked, with its defaults. */
export interface OutputPlan {
  readonly globs: readonly OutputGlob[];
  readonly inline: boolean;
  readonly save: boolean;
  readonly namePrefix: string;
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  /** The smaller of `maxFileBytes` and 16 MiB. */
  readonly maxInlineBytes: number;
  readonly maxTotalBytes: number;
  /** Of the globs: refused ones and the like. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Holds before anything runs. `undefined` where no outputs are asked for.
 * @throws SkillError `INPUT_INVALID` for a bad glob, named, and limits that are no positive whole numbers;
 *   `PATH_OUTSIDE`, `PATH_INVALID` for a name prefix that no artifact can have.
 */
export function outputPlan(outputs: RunOutputs | undefined, context: PathContext): OutputPlan | undefined {
  if (!outputs) return undefined;
  const { globs, diagnostics } = outputGlobs(orEverything(outputs.globs), context);
  const namePrefix = outputs.nameTemplate ?? "";
  containedPath(`${namePrefix}out/file`);
  const maxFileBytes = limit("maxFileBytes", outputs.maxFileBytes);
  const inline = outputs.inline ?? false;
  const capped = inline && maxFileBytes > INLINE_CAP;
  return {
    globs,
    inline,
    save: outputs.save ?? false,
    namePrefix,
    maxFiles: limit("maxFiles", outputs.maxFiles),
    maxFileBytes,
    maxInlineBytes: Math.min(maxFileBytes, INLINE_CAP),
    maxTotalBytes: limit("maxTotalBytes", outputs.maxTotalBytes),
    diagnostics: capped ? [...diagnostics, inlineCapped(maxFileBytes)] : diagnostics,
  };
}

/** Who asks for outputs and names none means those of the run; nothing would be what nobody asks for. */
function orEverything(globs: readonly string[] = []): readonly string[] {
  const none = Array.isArray(globs) && globs.every((glob) => typeof glob === "string" && glob.trim() === "");
  return none ? ["out/**"] : globs;
}

function limit(name: keyof typeof DEFAULTS, value: number | undefined): number {
  if (value === undefined) return DEFAULTS[name];
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new SkillError(
    "INPUT_INVALID",
    `The limit ${name} is ${String(value)}; give a positive whole number, or leave it out for ${DEFAULTS[name]}.`,
    { details: { field: name } },
  );
}

/** A limit that is lowered is told (TR-82). */
function inlineCapped(asked: number): Diagnostic {
  return {
    code: "output.inline-cap",
    severity: "warning",
    message: `maxFileBytes is ${asked}, but at most ${INLINE_CAP} bytes of a file are given inline.`,
    hint: "Save larger files as artifacts; saving keeps to maxFileBytes as asked.",
  };
}
