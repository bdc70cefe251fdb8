import type { Diagnostic } from "../diagnostic.js";
import { SKILL_LIMITS } from "../skill/manifest.js";
import { SkillError } from "../skill-error.js";
import { repositoryDiagnostic } from "./repository-diagnostics.js";

/** Which files belong to a skill of a repository, and their limits. */
export interface SkillRules {
  readonly files: number;
  readonly bytes: number;
  /** Names of directories whose content does not belong to a skill. */
  readonly leaveOut: ReadonlySet<string>;
}

export interface SkillRuleOptions {
  readonly limits?: SkillAmounts | undefined;
  /**
   * Names of directories in a skill whose content does not belong to it: installed packages and generated files. A
   * diagnostic reports each. Defaults to `node_modules`, `.venv`, `venv` and `__pycache__`.
   */
  readonly leaveOut?: readonly string[] | undefined;
}

export interface SkillAmounts {
  /** Number of files of one skill. Defaults to 512. */
  readonly files?: number | undefined;
  /** Total bytes of all files of one skill. Defaults to 16 MiB. */
  readonly bytes?: number | undefined;
}

/**
 * Builds the rules of a repository from its options. @throws SkillError `CONFIG_INVALID` for limits that are not whole
 * numbers.
 */
export function skillRules({ limits = {}, leaveOut = INSTALLED }: SkillRuleOptions = {}): SkillRules {
  const { files = SKILL_LIMITS.files, bytes = SKILL_LIMITS.bytes } = limits;
  for (const [limit, value] of Object.entries({ files, bytes }))
    if (!Number.isSafeInteger(value) || value < 0)
      throw new SkillError("CONFIG_INVALID", `"limits.${limit}" is ${value}. Give a whole number from 0.`);
  return { files, bytes, leaveOut: new Set(leaveOut) };
}

/** Returns the path of the directory that excludes a file from the skill; `undefined` for a file that belongs to it. */
export function leftOutFolder({ leaveOut }: Pick<SkillRules, "leaveOut">, file: string): string | undefined {
  const parts = file.split("/");
  const at = parts.findIndex((part, index) => index < parts.length - 1 && leaveOut.has(part));
  return at === -1 ? undefined : parts.slice(0, at + 1).join("/");
}

/** The files, by path, that are part of the skill, and one `file.installed` for each directory that is not. */
export function withoutLeftOut<File>(
  files: ReadonlyMap<string, File>,
  rules: Pick<SkillRules, "leaveOut">,
): { readonly files: ReadonlyMap<string, File>; readonly diagnostics: readonly Diagnostic[] } {
  const kept = new Map<string, File>();
  const folders = new Set<string>();
  for (const [path, file] of files) {
    const folder = leftOutFolder(rules, path);
    if (folder === undefined) kept.set(path, file);
    else folders.add(folder);
  }
  const diagnostics = [...folders].sort().map((at) => repositoryDiagnostic("file.installed", at));
  return { files: kept, diagnostics };
}

const INSTALLED = ["node_modules", ".venv", "venv", "__pycache__"];
