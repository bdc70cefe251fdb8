import { isContainedPath } from "@skillwright/core";
import { fileReferences } from "../file-references.js";
import type { LintedSkill } from "../lint-finding.js";
import type { CheckedRule } from "../lint-rule.js";

/** SEC-23: files that the text mentions and the skill does not have. */
export const references: CheckedRule = {
  id: "SEC-23",
  severity: "warning",
  title: "Reference to a file that is not in the skill, or outside it",
  help: "Add the file, or correct the path: relative to the skill's folder, with `/`.",
  *check({ skill, skillText, texts }) {
    const known = pathsOf(skill);
    const folded = new Set([...known].map((path) => path.toLowerCase()));
    for (const file of texts) {
      if (!/\.(?:md|markdown|mdx)$/i.test(file.path)) continue;
      const folder = file.path.split("/").slice(0, -1).join("/");
      for (const { target, line, column, isLink } of fileReferences(file)) {
        const place = { path: file.path, line, column };
        const candidates = [target, `${folder}/${target}`].map(resolved).filter((path) => path !== undefined);
        if (candidates.length === 0) {
          if (isLink && file === skillText)
            yield { message: `The reference "${target}" leads outside the skill.`, ...place };
        } else if (skill.filesComplete !== false && !candidates.some((path) => known.has(path)))
          yield {
            message: candidates.some((path) => folded.has(path.toLowerCase()))
              ? `The file "${target}" exists in the skill with different upper and lower case, which most systems distinguish.`
              : `The file "${target}" is not in the skill.`,
            ...place,
          };
      }
    }
  },
};

/** Paths of all files and of their directories. */
function pathsOf({ files }: LintedSkill): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const { path } of files) {
    const parts = path.normalize("NFC").split("/");
    for (let count = 1; count <= parts.length && count <= 64; count++)
      paths.add(parts.slice(0, count).join("/"));
  }
  return paths;
}

/** Resolves `.` and `..`; `undefined` where the path leaves the skill. */
function resolved(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  const joined = parts.join("/").normalize("NFC");
  return isContainedPath(joined) ? joined : undefined;
}
