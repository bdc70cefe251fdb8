import { z } from "zod";
import { requiredText } from "../input/text-fields.js";

const count = (description: string) => z.number().int().min(1).optional().describe(description);

/** The fields of every run, with their defaults and limits. */
export const runFields = () => ({
  command: requiredText("Command for bash, such as: python3 scripts/report.py work/inputs/a.csv > out/a.md"),
  cwd: z
    .string()
    .optional()
    .describe("Directory to start in, if not the usual one; $WORK_DIR and its like work."),
  env: z.record(z.string(), z.string()).optional().describe("Environment variables, text by name."),
  stdin: z.string().optional().describe("Text for standard input."),
  editor_text: z
    .string()
    .optional()
    .describe("Text for a program that opens an editor; sets EDITOR and VISUAL."),
  timeout: z.number().min(0).max(600).optional().describe("Seconds, at most 600, which is also the default."),
  inputs: z
    .array(
      z.strictObject({
        from: requiredText("artifact://name[@version], host:///path, workspace://path or skill://name/path"),
        to: z.string().optional().describe("Path in the workspace; default work/inputs/<file name>."),
        mode: z.enum(["copy", "link"]).optional().describe("copy (default) or link."),
        pin: z
          .boolean()
          .optional()
          .describe("Take the artifact's version that was taken before. Default false."),
      }),
    )
    .optional()
    .describe("Files or directories to bring in first: a list of { from, to, mode, pin }."),
  outputs: z
    .strictObject({
      globs: z
        .array(z.string())
        .optional()
        .describe("Paths from the workspace's root, such as out/*.csv. Default out/**."),
      inline: z.boolean().optional().describe("Return the content of text files. Default false."),
      save: z.boolean().optional().describe("Save the files as artifacts. Default false."),
      name_template: z.string().optional().describe("Put before the artifacts' names, such as reports/."),
      max_files: count("Whole number from 1, default 100."),
      max_file_bytes: count("Whole number from 1, default 4194304 (4 MiB)."),
      max_total_bytes: count("Whole number from 1, default 67108864 (64 MiB)."),
    })
    .optional()
    .describe("Files to collect afterwards: { globs, inline, save, ... }."),
});

/** The older form of collecting, accepted beside `outputs`. */
export const outputFilesFields = () => ({
  output_files: z
    .array(z.string())
    .optional()
    .describe("Globs of text files to return; outputs can do more."),
  save_as_artifacts: z.boolean().optional().describe("Save the collected files as artifacts."),
  omit_inline_content: z.boolean().optional().describe("Leave out the content of output_files."),
  artifact_prefix: z.string().optional().describe("Put before the artifacts' names."),
});

export type RunFields = z.infer<z.ZodObject<ReturnType<typeof runFields>>>;
export type OutputFilesFields = z.infer<z.ZodObject<ReturnType<typeof outputFilesFields>>>;
