import { containedPath, type Diagnostic, type RunOutputs, SkillError } from "@skillwright/core";
import type { PathContext } from "../path/locate-path.js";
import { type OutputGlob, outputGlobs } from "./output-globs.js";

const DEFAULTS = { maxFiles: 100, maxFileBytes: 4 * 1024 * 1024, maxTotalBytes: 64 * 1024 * 1024 };

/** Maximum content of one file held in memory, whatever the caller allows for saving. */
const INLINE_CAP = 16 * 1024 * 1024;

/** `RunOutputs` after validation, with defaults applied. */
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
  /** Diagnostics about the globs, for example refused ones. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Validates the requested outputs before anything runs. Returns `undefined` where none are requested.
 * @throws SkillError `INPUT_INVALID` for a bad glob, which it names, and for limits that are not positive whole
 * numbers; `PATH_OUTSIDE`, `PATH_INVALID` for a name prefix that no artifact can have.
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

/** A caller that requests outputs without globs gets those of the run, never an empty selection. */
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

/** Reports a limit that was lowered. */
function inlineCapped(asked: number): Diagnostic {
  return {
    code: "output.inline-cap",
    severity: "warning",
    message: `maxFileBytes is ${asked}, but at most ${INLINE_CAP} bytes of a file are returned inline.`,
    hint: "Save larger files as artifacts; the given maxFileBytes applies to saving.",
  };
}
