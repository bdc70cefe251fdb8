export type { LintedFile, LintedSkill, LintFinding } from "./lint-finding.js";
export type { LintRule } from "./lint-rule.js";
export { lintRules } from "./lint-rules.js";
export { lintSkill } from "./lint-skill.js";
