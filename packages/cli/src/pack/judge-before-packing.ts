import { createHash } from "node:crypto";
import { join } from "node:path";
import { isPackedPath } from "@skillwright/archive";
import { type ManifestFile, SkillError } from "@skillwright/core";
import type { LintedFile } from "@skillwright/lint";
import type { CliContext } from "../cli-context.js";
import { judgeSkill } from "../validate/judge-skill.js";
import type { JudgedSkill } from "../validate/judged-skill.js";

export interface JudgedFolder extends JudgedSkill {
  /** @throws SkillError `CONFLICT` for a file that changed after it was judged. */
  checkSame(files: readonly ManifestFile[]): void;
}

/** Validates the skill against the standard and with the linter, ignoring files that are not packed. */
export async function judgeBeforePacking(directory: string, { cwd }: CliContext): Promise<JudgedFolder> {
  let files: readonly LintedFile[] = [];
  const onFiles = (read: readonly LintedFile[]) => {
    files = read;
  };
  const judged = await judgeSkill(join(directory, "SKILL.md"), { cwd, profile: "spec", lint: true, onFiles });
  const findings = judged.findings.filter(
    ({ finding: { path } }) => path === undefined || isPackedPath(path),
  );
  const valid = findings.every(({ finding }) => finding.severity !== "error");
  return { ...judged, findings, valid, checkSame: sameAs(files) };
}

function sameAs(judged: readonly LintedFile[]): JudgedFolder["checkSame"] {
  const hashes = new Map(judged.map(({ path, content }) => [path, content && sha256(content)]));
  // Links are reported as errors. What a link leads to is handed on only if the person allowed errors.
  const links = judged.filter(({ kind }) => kind === "link").map(({ path }) => path);
  return (files) => {
    for (const { path, sha256: now } of files) {
      if (hashes.get(path) === now || links.some((link) => `${path}/`.startsWith(`${link}/`))) continue;
      throw new SkillError(
        "CONFLICT",
        `The file "${path}" changed after it was checked. Run the command again.`,
      );
    }
  };
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
