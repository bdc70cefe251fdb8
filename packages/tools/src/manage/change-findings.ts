import { SkillError } from "@skillwright/core";
import type { LintFinding } from "@skillwright/lint";
import type { HeldFile } from "./skill-files.js";

const MAX_TOLD = 5;
/** A file that the text mentions and that does not exist: files are written after the text. */
const FILE_TO_COME = "SEC-23";

export interface ChangeFindings {
  readonly all: readonly LintFinding[];
  /** Findings that the skill did not have before. */
  readonly added: readonly LintFinding[];
}

/**
 * The linter's findings in the skill after the change. Warnings are left to the reviewer.
 * @throws SkillError `REFUSED` for an error, unless the skill had it before.
 */
export async function checkedFindings(
  name: string,
  before: ReadonlyMap<string, HeldFile>,
  after: ReadonlyMap<string, HeldFile>,
  knownNames: readonly string[],
): Promise<ChangeFindings> {
  const all = await lint(name, after, knownNames);
  const known = new Set((await lint(name, before, knownNames)).map(mark));
  const added = all.filter((finding) => !known.has(mark(finding)));
  const errors = added.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw unsafe(errors);
  return { all, added };
}

/**
 * Checks a change that no person reviews. @throws SkillError `REFUSED` where it adds a finding that a person should
 * review.
 */
export function checkUnseen(added: readonly LintFinding[]): void {
  const risky = added.filter(
    ({ code, severity }) => severity === "warning" && code.startsWith("SEC-") && code !== FILE_TO_COME,
  );
  if (risky.length > 0) throw unsafe(risky);
}

function unsafe(findings: readonly LintFinding[]): SkillError {
  const told = findings.slice(0, MAX_TOLD).map(({ code, message, path = "", line }) => {
    const place = line === undefined ? path : `${path}:${line}`;
    return `${code} ${place} ${message}`;
  });
  return new SkillError(
    "REFUSED",
    `The skill would not be safe: ${told.join(" ")} Remove this and try again.`,
    {
      details: { retry: true, findings },
    },
  );
}

async function lint(
  name: string,
  files: ReadonlyMap<string, HeldFile>,
  knownNames: readonly string[],
): Promise<readonly LintFinding[]> {
  if (files.size === 0) return [];
  // Imported with the first change, because most programs make none.
  const { lintSkill } = await import("@skillwright/lint");
  return lintSkill({
    directoryName: name,
    knownNames,
    files: [...files].map(([path, { bytes, executable }]) => ({ path, content: bytes, executable })),
  });
}

function mark({ code, path, excerpt, message }: LintFinding): string {
  return JSON.stringify([code, path, excerpt ?? message]);
}
