import type { Diagnostic, RunOutputs, WorkspaceRun } from "@skillwright/core";
import type { OutputFilesFields, RunFields } from "./run-fields.js";

export interface RequestedRun {
  readonly run: WorkspaceRun;
  /** False where no outputs were requested: new files in `out/` are then only named. */
  readonly declared: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Converts the call's fields for the workspace. Seconds become milliseconds; a timeout of 0 means the default. Where both `outputs` and
 * `output_files` are given, `outputs` wins, with a warning; the saving options of `output_files` fill in what `outputs` leaves open.
 * Saving without globs means `out/**`.
 *
 * @param saveOutputs Save everything collected, requested or not.
 */
export function requestedRun(
  fields: RunFields & OutputFilesFields,
  { saveOutputs = false }: { saveOutputs?: boolean | undefined } = {},
): RequestedRun {
  const { command, cwd, env, stdin, editor_text: editorText, timeout, inputs, outputs } = fields;
  const timeoutMs = timeout ? timeout * 1000 : undefined;
  const run = { command, cwd, env, stdin, editorText, timeoutMs, inputs };
  const { output_files: globs = [] } = fields;
  const save = saveOutputs || (fields.save_as_artifacts ?? false);
  if (outputs) {
    const manifest = fromManifest(outputs, fields);
    const forced = saveOutputs ? { ...manifest, save } : manifest;
    return { run: { ...run, outputs: forced }, declared: true, diagnostics: both(globs) };
  }
  const shared = { save, nameTemplate: fields.artifact_prefix };
  if (globs.length === 0)
    return {
      run: { ...run, outputs: { globs: ["out/**"], ...shared } },
      declared: fields.save_as_artifacts === true,
      diagnostics: [],
    };
  const wanted = { globs, inline: !fields.omit_inline_content, ...shared };
  return { run: { ...run, outputs: wanted }, declared: true, diagnostics: [] };
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
