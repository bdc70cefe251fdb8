import { createHash } from "node:crypto";
import { isContainedPath, manifestDigest, skillManifest } from "@skillwright/core";
import type { LintedSkill } from "../lint-finding.js";
import type { CheckedRule } from "../lint-rule.js";

/** SEC-24: the skill differs from what was approved. */
export const approval: CheckedRule = {
  id: "SEC-24",
  severity: "error",
  title: "Content changed since it was approved or locked",
  help: "Review the changes, then approve or lock the skill again.",
  *check({ skill }) {
    const { approvedDigest } = skill;
    if (approvedDigest === undefined) return;
    const digest = digestOf(skill);
    if (digest === undefined)
      yield {
        message: `The skill cannot be compared with ${approvedDigest}, because some of its files were not read or are not regular files.`,
      };
    else if (digest !== approvedDigest)
      yield { message: `The skill has the digest ${digest}, but ${approvedDigest} was approved.` };
  },
};

function digestOf({ files, filesComplete }: LintedSkill): string | undefined {
  if (filesComplete === false) return undefined;
  const entries = [];
  for (const { path, content, kind = "file", executable = false } of files) {
    if (kind !== "file" || content === undefined || !isContainedPath(path)) return undefined;
    const sha256 = createHash("sha256").update(content).digest("hex");
    entries.push({ path, size: Buffer.byteLength(content), executable, sha256 });
  }
  if (new Set(entries.map(({ path }) => path)).size < entries.length) return undefined;
  return manifestDigest(skillManifest(entries));
}
