import type { Diagnostic } from "@skillwright/core";

const MAX_WARNINGS = 20;

/** Limits under the names of the tool's fields; the library's messages use the names of the code. */
const FIELDS: Readonly<Record<string, string>> = {
  maxFiles: "max_files",
  maxFileBytes: "max_file_bytes",
  maxTotalBytes: "max_total_bytes",
  nameTemplate: "name_template",
};

/** Repeated for every run on a machine without a sandbox; the answer's `isolation` says the same. */
const OF_THE_MACHINE: ReadonlySet<string> = new Set(["isolation.none", "run.tree-not-certain"]);

/**
 * Errors and warnings as sentences for the model, each once, at most 20. Omits information, and problems that the model
 * cannot solve; the result's diagnostics contain everything.
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
