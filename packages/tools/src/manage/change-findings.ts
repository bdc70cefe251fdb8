import { SkillError } from "@skillwright/core";
import { type LintFinding, lintSkill } from "@skillwright/lint";
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
export function checkedFindings(
  name: string,
  before: ReadonlyMap<string, HeldFile>,
  after: ReadonlyMap<string, HeldFile>,
  knownNames: readonly string[],
): ChangeFindings {
  const all = lint(name, after, knownNames);
  const known = new Set(lint(name, before, knownNames).map(mark));
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

function lint(
  name: string,
  files: ReadonlyMap<string, HeldFile>,
  knownNames: readonly string[],
): readonly LintFinding[] {
  if (files.size === 0) return [];
  return lintSkill({
    directoryName: name,
    knownNames,
    files: [...files].map(([path, { bytes, executable }]) => ({ path, content: bytes, executable })),
  });
}

function mark({ code, path, excerpt, message }: LintFinding): string {
  return JSON.stringify([code, path, excerpt ?? message]);
}
