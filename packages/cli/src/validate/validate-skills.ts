import { dirname } from "node:path";
import type { CliContext } from "../cli-context.js";
import { type ConfiguredStore, configuredStore } from "../environments/configured-store.js";
import type { NeedsPlace } from "../environments/skill-needs.js";
import { ownVersion } from "../own-version.js";
import { findSkillFiles } from "../skills/find-skill-files.js";
import { countFindings, noFindings } from "./count-findings.js";
import { githubReport } from "./github-report.js";
import { inOrder } from "./in-order.js";
import { jsonReport } from "./json-report.js";
import { judgeSkill } from "./judge-skill.js";
import type { JudgedSkill } from "./judged-skill.js";
import { sarifReport } from "./sarif-report.js";
import { textReport } from "./text-report.js";
import { validationProgress } from "./validation-progress.js";
import type { ReportOptions, ValidationReport } from "./validation-report.js";

export type ReportFormat = "text" | "json" | "sarif" | "github";

export interface ValidateSkillsOptions extends ReportOptions {
  readonly format: ReportFormat;
  /** Unlimited where it is missing. */
  readonly maxWarnings: number | undefined;
}

const PARALLEL = 8;

/**
 * Validates every skill at or below the paths and prints findings as they are found.
 * @returns False where there is an error, where there are too many warnings, and where there is no skill.
 */
export async function validateSkills(options: ValidateSkillsOptions, context: CliContext): Promise<boolean> {
  const started = performance.now();
  const { signal, cwd } = context;
  const { profile, lint, maxWarnings } = options;
  const files = await findSkillFiles(options.paths, cwd);
  const skillFolders = new Set(files.map((file) => dirname(file)));
  let store: Promise<ConfiguredStore> | undefined;
  const needs: NeedsPlace = {
    env: context.env,
    store: async () => {
      store ??= configuredStore(context);
      return (await store).store;
    },
  };
  const totals = noFindings();
  const report = await reportFor(options, context);
  const progress = validationProgress(files.length, context);
  try {
    for await (const judged of inOrder(files, PARALLEL, judge)) {
      signal?.throwIfAborted();
      countFindings(totals, judged);
      const shown = options.quiet ? onlyErrors(judged) : judged;
      if (shown.findings.length > 0 || shown.needs) progress.clear();
      report.skill(shown);
      progress.show(totals.skills, totals.errors);
    }
  } finally {
    progress.clear();
  }
  const tooMany = maxWarnings !== undefined && totals.warnings > maxWarnings;
  const passed = totals.skills > 0 && totals.errors === 0 && !tooMany;
  report.end({
    totals,
    passed,
    warningsAllowed: tooMany ? maxWarnings : undefined,
    durationMs: performance.now() - started,
  });
  return passed;

  async function judge(file: string): Promise<JudgedSkill> {
    signal?.throwIfAborted();
    return await judgeSkill(file, { cwd, profile, lint, skillFolders, ...(lint && { needs }) });
  }
}

async function reportFor(options: ValidateSkillsOptions, context: CliContext): Promise<ValidationReport> {
  switch (options.format) {
    case "text":
      return textReport(context, options);
    case "json":
      return jsonReport(context, options);
    case "sarif":
      return sarifReport(context, options, await ownVersion());
    case "github":
      return githubReport(context, options);
  }
}

function onlyErrors({ path, valid, findings }: JudgedSkill): JudgedSkill {
  return { path, valid, findings: findings.filter(({ finding }) => finding.severity === "error") };
}
