import type { Diagnostic } from "@skillwright/core";
import type { FileStat } from "@skillwright/core/adapter";
import { linkedElsewhere, notOnlyHere } from "./linked-elsewhere.js";
import type { OutputPlan } from "./output-plan.js";

/** The workspace's files before and after a run, by path. */
export interface OutputListings {
  readonly before: ReadonlyMap<string, Pick<FileStat, "mark">>;
  readonly after: ReadonlyMap<string, FileStat>;
  /** True where the command failed, timed out or was aborted. */
  readonly failed: boolean;
}

export interface SelectedOutput {
  readonly file: FileStat;
  readonly unchanged: boolean;
}

/**
 * Selects the matching regular files, each once, sorted by path. Left out with a diagnostic: links and
 * special files, files with a hard link elsewhere, empty files of a failed command, which a
 * redirection leaves behind, and files beyond `maxFiles`, starting with those that the run did not touch. A glob that matches
 * nothing is reported.
 */
export function selectOutputs(
  plan: OutputPlan,
  listings: OutputListings,
  tell: (diagnostic: Diagnostic) => void,
): readonly SelectedOutput[] {
  const entries = [...listings.after.values()];
  const matched = new Set<string>();
  for (const glob of plan.globs) {
    const paths = entries.filter((entry) => entry.kind !== "directory" && glob.matches(entry.path));
    if (paths.length === 0) tell(noMatch(glob.written, glob.patterns, listings.after));
    for (const { path } of paths) matched.add(path);
  }
  const isLinkedElsewhere = linkedElsewhere(entries);
  const isTaken = (entry: FileStat) => {
    const elsewhere = isLinkedElsewhere(entry);
    if (elsewhere) tell(notOnlyHere(entry));
    return !elsewhere && isWanted(entry, listings, tell);
  };
  const selected = entries
    .filter((entry) => matched.has(entry.path) && isTaken(entry))
    .map((file) => ({ file, unchanged: listings.before.get(file.path)?.mark === file.mark }));
  return withinCount(selected, plan.maxFiles, tell).sort((a, b) => (a.file.path < b.file.path ? -1 : 1));
}

function isWanted(
  entry: FileStat,
  listings: OutputListings,
  tell: (diagnostic: Diagnostic) => void,
): boolean {
  if (entry.kind !== "file") {
    tell(notRegular(entry));
    return false;
  }
  const touched = listings.before.get(entry.path)?.mark !== entry.mark;
  if (!(listings.failed && entry.size === 0 && touched)) return true;
  tell({
    code: "output.empty-after-failure",
    severity: "warning",
    message: `${entry.path} is empty and the command failed; it is left out.`,
    hint: "Read stderr, correct the command and run it again.",
    path: entry.path,
  });
  return false;
}

function withinCount(
  selected: readonly SelectedOutput[],
  maxFiles: number,
  tell: (diagnostic: Diagnostic) => void,
): SelectedOutput[] {
  if (selected.length <= maxFiles) return [...selected];
  const touchedFirst = [
    ...selected.filter((one) => !one.unchanged),
    ...selected.filter((one) => one.unchanged),
  ];
  const left = touchedFirst.slice(maxFiles).map(({ file }) => file.path);
  tell({
    code: "output.file-limit",
    severity: "warning",
    message:
      `The limit of ${maxFiles} files is reached: ${left.length} matching files are left out, ` +
      `among them ${left.slice(0, 5).join(", ")}.`,
    hint: "Name fewer files in the globs, or raise maxFiles.",
  });
  return touchedFirst.slice(0, maxFiles);
}

function notRegular({ path, kind }: FileStat): Diagnostic {
  return {
    code: kind === "link" ? "output.link-skipped" : "output.special-skipped",
    severity: "warning",
    message: `${path} is ${kind === "link" ? "a link" : "not a regular file with a plain name"}, so it is not collected.`,
    hint: "Write or copy the content into a regular file with a plain name below out/.",
    path,
  };
}

function noMatch(
  written: string,
  patterns: readonly string[],
  files: ReadonlyMap<string, FileStat>,
): Diagnostic {
  return {
    code: "glob.no-match",
    severity: "warning",
    message: `The glob ${JSON.stringify(written)} matches no file.`,
    hint:
      patterns.map((pattern) => remedy(pattern.replace(/\/+$/, ""), files)).find(Boolean) ??
      generalRemedy(files),
  };
}

function remedy(pattern: string, files: ReadonlyMap<string, FileStat>): string | undefined {
  const first = pattern.split("/")[0] ?? "";
  if (first === "skills") return "Files of skills are not outputs; let the command write to out/.";
  if (files.get(pattern)?.kind === "directory" || ["out", "work", "runs"].includes(pattern))
    return `${pattern} is a directory; write "${pattern}/**".`;
  const prefix = pattern.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"));
  const link = prefix.find((path) => files.get(path)?.kind === "link");
  return link === undefined ? undefined : `${link} is a link, and links are not followed.`;
}

function generalRemedy(files: ReadonlyMap<string, FileStat>): string {
  const there = [...files.values()].filter(({ kind }) => kind === "file").map(({ path }) => path);
  const shown = there.length === 0 ? "There is no file." : `There are ${there.slice(0, 5).join(", ")}.`;
  return `Globs are relative to the workspace's root, such as "out/**". ${shown}`;
}
