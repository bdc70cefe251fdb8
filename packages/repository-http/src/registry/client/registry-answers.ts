import {
  type BrokenSkill,
  type Diagnostic,
  SkillError,
  type SkillListing,
  type SkillSummary,
  type SkillVersion,
} from "@skillwright/core";
import type { VersionLabels } from "../registry-labels.js";
import type { SkillMark } from "../skill-mark.js";

type Fields = Readonly<Record<string, unknown>>;

/** What a registry answers, checked field by field. @throws SkillError `BACKEND_FAILED` for anything else. */
export function readListing(answer: unknown): SkillListing {
  const { skills, broken, diagnostics } = object(answer);
  return {
    skills: list(skills).map(summaryOf),
    broken: list(broken).map(brokenOf),
    diagnostics: list(diagnostics).map(diagnosticOf),
  };
}

export function readVersions(answer: unknown): readonly SkillVersion[] {
  return list(object(answer)["versions"]).map((one) => {
    const { version, digest, createdAt } = object(one);
    return { version: text(version), digest: text(digest), createdAt: text(createdAt) };
  });
}

export function readLabels(answer: unknown): VersionLabels {
  const labels = Object.entries(object(object(answer)["labels"]));
  return Object.fromEntries(labels.map(([label, version]) => [label, text(version)]));
}

export function readRemoved(answer: unknown): boolean {
  return object(answer)["removed"] === true;
}

export function readRevision(answer: unknown): string {
  return text(object(answer)["revision"]);
}

export function readStored(answer: unknown): {
  readonly mark: SkillMark;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { skill, diagnostics } = object(answer);
  const { path, changeMark, digest, version } = object(skill);
  const mark = { path: text(path), changeMark: text(changeMark), digest: text(digest) };
  return {
    mark: { ...mark, ...(version !== undefined && { version: text(version) }) },
    diagnostics: list(diagnostics).map(diagnosticOf),
  };
}

function summaryOf(answer: unknown): SkillSummary {
  const { name, description, path, frontmatter, changeMark, digest, version, diagnostics } = object(answer);
  return {
    name: text(name),
    description: text(description),
    path: text(path),
    frontmatter: object(frontmatter) as SkillSummary["frontmatter"],
    changeMark: text(changeMark),
    ...(digest !== undefined && { digest: text(digest) }),
    ...(version !== undefined && { version: text(version) }),
    diagnostics: list(diagnostics).map(diagnosticOf),
  };
}

function brokenOf(answer: unknown): BrokenSkill {
  const { path, diagnostics } = object(answer);
  return { path: text(path), diagnostics: list(diagnostics).map(diagnosticOf) };
}

const SEVERITIES = ["error", "warning", "info"] as const;

function diagnosticOf(answer: unknown): Diagnostic {
  const { code, severity, message, hint, path, line, column } = object(answer);
  const known = SEVERITIES.find((one) => one === severity);
  return {
    code: text(code),
    severity: known ?? strange(),
    message: text(message),
    hint: text(hint),
    ...(path !== undefined && { path: text(path) }),
    ...(typeof line === "number" && { line }),
    ...(typeof column === "number" && { column }),
  };
}

function object(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : strange();
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : strange();
}

function text(value: unknown): string {
  return typeof value === "string" ? value : strange();
}

function strange(): never {
  const message = "The registry answered in an unknown form. Check its address and its version.";
  throw new SkillError("BACKEND_FAILED", message);
}
