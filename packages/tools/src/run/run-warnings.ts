import type { Diagnostic } from "@skillwright/core";

const MAX_WARNINGS = 20;

/** Limits as the model writes them; the library's own messages have the names of the code. */
const FIELDS: Readonly<Record<string, string>> = {
  maxFiles: "max_files",
  maxFileBytes: "max_file_bytes",
  maxTotalBytes: "max_total_bytes",
  nameTemplate: "name_template",
};

/** What comes with every run of a machine without a sandbox; the answer's `isolation` says as much, in a word. */
const OF_THE_MACHINE: ReadonlySet<string> = new Set(["isolation.none", "run.tree-not-certain"]);

/**
 * Errors and warnings as sentences for the model, each once, 20 at most. What is only information stays out, and what the
 * model can do nothing about; the result's diagnostics have it all.
 */
export function runWarnings(diagnostics: readonly Diagnostic[]): readonly string[] {
  const told = diagnostics.filter(({ severity, code }) => severity !== "info" && !OF_THE_MACHINE.has(code));
  const all = [...new Set(told.map(({ message, hint }) => inFieldNames(`${message} ${hint}`)))];
  if (all.length <= MAX_WARNINGS) return all;
  return [...all.slice(0, MAX_WARNINGS), `${all.length - MAX_WARNINGS} more warnings.`];
}

function inFieldNames(text: string): string {
  return text.replace(
    /\b(maxFiles|maxFileBytes|maxTotalBytes|nameTemplate)\b/g,
    (name) => FIELDS[name] ?? name,
  );
}
