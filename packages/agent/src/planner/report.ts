/** The part of `skill_run`'s answer that the report uses. */
interface RunOutput {
  readonly exit_code?: number;
  readonly timed_out?: boolean;
  readonly duration_ms?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly output_files?: readonly OutputFile[];
  readonly warnings?: readonly string[];
  readonly artifact_files?: readonly {
    readonly name: string;
    readonly version: number;
    readonly location?: string;
  }[];
}

interface OutputFile {
  readonly name: string;
  readonly content?: string;
  readonly mime_type?: string;
  readonly unchanged?: boolean;
}

const MOST_LINES = 16;

/** A run's result in a few lines: how it ended, its files, the beginning of a text report. */
export function report(output: unknown): string {
  const run = Object(output) as RunOutput;
  const failed = run.timed_out === true || run.exit_code !== 0;
  const files = (run.output_files ?? []).filter((file) => file.unchanged !== true);
  const parts = [
    failed ? failure(run) : `Done: the command succeeded (exit code 0, ${run.duration_ms ?? 0} ms).`,
  ];
  if (files.length > 0) parts.push(`Files: ${files.map(({ name }) => name).join(", ")}.`);
  else if (!failed) parts.push("It wrote no files.");
  const saved = run.artifact_files ?? [];
  if (saved.length > 0) parts.push(`Saved: ${saved.map(savedAs).join(", ")}.`);
  for (const warning of run.warnings ?? [])
    if (files.length > 0 || !warning.includes("matches no file")) parts.push(`Note: ${warning}`);
  const text = files.find(isText)?.content ?? (failed ? undefined : run.stdout);
  return text?.trim() ? `${parts.join("\n")}\n\n${firstLines(text.trim())}` : parts.join("\n");
}

function failure({
  timed_out: timedOut,
  exit_code: exitCode,
  duration_ms: duration,
  stderr,
  stdout,
}: RunOutput): string {
  const said = (stderr?.trim() || stdout?.trim() || "").split("\n").slice(-6).join("\n");
  const what = timedOut
    ? `The command timed out and was stopped after ${duration ?? 0} ms.`
    : `The command failed with exit code ${exitCode ?? "unknown"}; 0 was expected.`;
  const remedy = timedOut
    ? "Try a smaller file, or ask for less."
    : "Check that the file has the format that the skill expects; its message says what was wrong.";
  return said ? `${what} It printed:\n${said}\n${remedy}` : `${what} It printed nothing. ${remedy}`;
}

function savedAs({ name, version }: { name: string; version: number }): string {
  return version === 0 ? name : `${name} (version ${version})`;
}

function isText({ name, content, mime_type: mimeType = "" }: OutputFile): boolean {
  return content !== undefined && (/^text\/(markdown|plain)/.test(mimeType) || /\.(md|txt)$/i.test(name));
}

function firstLines(text: string): string {
  const lines = text.split("\n");
  if (lines.length <= MOST_LINES) return text;
  return `${lines.slice(0, MOST_LINES).join("\n")}\n\n... ${lines.length - MOST_LINES} more lines in the file`;
}
