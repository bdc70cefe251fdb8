import { containedPath, SkillError } from "@skillwright/core";
import { fileNameProblem, pathSpellings, visibleText } from "@skillwright/core/adapter";
import type { LintedFile } from "../lint-finding.js";
import type { CheckedRule } from "../lint-rule.js";

const MAX_COMPARED = 1024;

/** SEC-04 to SEC-06: names that mean another place, or the same place twice. */
export const pathsAndLinks: readonly CheckedRule[] = [
  {
    id: "SEC-04",
    severity: "error",
    title: "Name or path that leaves the skill, or is interpreted differently on another system",
    help: "Use plain names: letters, digits, hyphens, and `/` between folders.",
    *check({ skill, header, skillText }) {
      const entry = header.get("name");
      const name = entry?.text?.replace(/[\r\n]+$/, "") ?? "";
      const problem = nameProblem(name);
      if (entry && skillText && problem) {
        const { line, column } = entry;
        yield {
          message: `The name ${shown(name)} ${problem}.`,
          path: skillText.path,
          line,
          column,
          shown: name,
        };
      }
      for (const { path } of skill.files) {
        const why = pathProblem(path);
        if (why) yield { message: why, path };
      }
    },
  },
  {
    id: "SEC-05",
    severity: "error",
    title: "Link, device or other special file in the skill",
    help: "Put a plain file in its place. Links are not followed and special files not opened.",
    *check({ skill }) {
      for (const file of skill.files)
        if (file.kind === "link" || file.kind === "special")
          yield { message: `${shown(file.path)} is ${specialness(file)}.`, path: file.path };
    },
  },
  {
    id: "SEC-06",
    severity: "error",
    title: "Two paths that some file systems treat as the same",
    help: "Rename one of them so that they differ in more than case or accents.",
    *check({ skill }) {
      const spellings = pathSpellings();
      const paths = new Set<string>();
      for (const { path } of skill.files) {
        // SEC-04 has reported it.
        if (path.length > MAX_COMPARED) continue;
        const first = spellings.clash(path);
        if (first !== undefined)
          yield {
            message: `${shown(path)} and ${shown(first)} are the same file on file systems that ignore case or Unicode form.`,
            path,
          };
        else if (paths.has(path)) yield { message: `The path ${shown(path)} is in the skill twice.`, path };
        else spellings.keep(path);
        paths.add(path);
      }
    },
  },
];

function nameProblem(name: string): string | undefined {
  if (name.includes("\0")) return "contains a NUL character";
  if (/[/\\]/.test(name)) return "contains a path separator";
  if (/^[A-Za-z]:/.test(name)) return "names a drive";
  if (/^\.{1,2}$/.test(name)) return "means a folder";
  // Many clients treat the text after a colon as a label and do not use it in file names.
  return fileNameProblem(name.split(":")[0] ?? "");
}

function pathProblem(path: string): string | undefined {
  try {
    containedPath(path);
  } catch (error) {
    return SkillError.from(error, "Checking a path").message;
  }
  for (const part of path.split("/")) {
    const problem = fileNameProblem(part);
    if (problem) return `In the path ${shown(path)} ${shown(part)} ${problem}.`;
  }
  return undefined;
}

function specialness({ path, kind, target }: LintedFile): string {
  if (kind === "special") return "a device, pipe or socket";
  if (target === undefined) return "a link";
  return `a link to ${shown(target)}${leaves(path, target) ? ", outside the skill" : ""}`;
}

function leaves(path: string, target: string): boolean {
  if (/^(?:[/\\]|[A-Za-z]:)/.test(target)) return true;
  let depth = path.split("/").length - 1;
  for (const part of target.split(/[/\\]/)) {
    if (part === "..") depth--;
    else if (part !== "." && part !== "") depth++;
    if (depth < 0) return true;
  }
  return false;
}

function shown(text: string): string {
  return `"${visibleText(text.slice(0, 200))}"`;
}
