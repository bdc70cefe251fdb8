import type { Diagnostic, RunOutputs } from "@skillwright/core";
import type { OutputFilesFields, RunFields } from "./run-fields.js";

export interface RequestedOutputs {
  readonly outputs: RunOutputs;
  /** False where no outputs were requested: new files in `out/` are then only named. */
  readonly declared: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Determines what to collect. Where both `outputs` and `output_files` are given, `outputs` wins, with a warning; the saving
 * options of `output_files` fill in what `outputs` leaves open. Saving without globs means
 * `out/**`.
 *
 * @param saveOutputs Save everything collected, requested or not.
 */
export function requestedOutputs(
  fields: Pick<RunFields, "outputs"> & OutputFilesFields,
  { saveOutputs = false }: { saveOutputs?: boolean | undefined } = {},
): RequestedOutputs {
  const { outputs, output_files: globs = [] } = fields;
  const save = saveOutputs || (fields.save_as_artifacts ?? false);
  if (outputs) {
    const manifest = fromManifest(outputs, fields);
    const forced = saveOutputs ? { ...manifest, save } : manifest;
    return { outputs: forced, declared: true, diagnostics: both(globs) };
  }
  const declared = globs.length > 0 || fields.save_as_artifacts === true;
  const shared = { save, nameTemplate: fields.artifact_prefix };
  if (globs.length === 0) return { outputs: { globs: ["out/**"], ...shared }, declared, diagnostics: [] };
  return { outputs: { globs, inline: !fields.omit_inline_content, ...shared }, declared, diagnostics: [] };
}

function fromManifest(outputs: NonNullable<RunFields["outputs"]>, fields: OutputFilesFields): RunOutputs {
  return {
    globs: outputs.globs ?? [],
    inline: outputs.inline ?? false,
    save: outputs.save ?? fields.save_as_artifacts ?? false,
    nameTemplate: outputs.name_template ?? fields.artifact_prefix,
    maxFiles: outputs.max_files,
    maxFileBytes: outputs.max_file_bytes,
    maxTotalBytes: outputs.max_total_bytes,
  };
}

function both(globs: readonly string[]): Diagnostic[] {
  if (globs.length === 0) return [];
  return [
    {
      code: "outputs.both-given",
      severity: "warning",
      message: `output_files (${globs.join(", ").slice(0, 200)}) was ignored because outputs is given too.`,
      hint: "Put all globs into outputs.globs.",
    },
  ];
}
