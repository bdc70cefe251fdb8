import type { CheckedRule, LintRule } from "./lint-rule.js";
import { approval } from "./rules/approval.js";
import { credentialStores } from "./rules/credential-stores.js";
import { declaredNeeds } from "./rules/declared-needs.js";
import { descriptions } from "./rules/descriptions.js";
import { downloads } from "./rules/downloads.js";
import { fetchedInstructions } from "./rules/fetched-instructions.js";
import { fileKinds } from "./rules/file-kinds.js";
import { guardedDownloads } from "./rules/guarded-downloads.js";
import { hosts } from "./rules/hosts.js";
import { injection } from "./rules/injection.js";
import { invisibleText } from "./rules/invisible-text.js";
import { leakingLinks } from "./rules/leaking-links.js";
import { length } from "./rules/length.js";
import { limits } from "./rules/limits.js";
import { lookAlikeNames } from "./rules/look-alike-names.js";
import { obfuscation } from "./rules/obfuscation.js";
import { pathsAndLinks } from "./rules/paths-and-links.js";
import { permissions } from "./rules/permissions.js";
import { persistence } from "./rules/persistence.js";
import { references } from "./rules/references.js";
import { secretPasting } from "./rules/secret-pasting.js";
import { secrets } from "./rules/secrets.js";

/** All rules, ordered by id. To add a rule, add an object in a file of `rules/` and its name here. */
export const checkedRules: readonly CheckedRule[] = [
  ...invisibleText,
  lookAlikeNames,
  ...pathsAndLinks,
  downloads,
  obfuscation,
  hosts,
  guardedDownloads,
  credentialStores,
  persistence,
  injection,
  leakingLinks,
  fetchedInstructions,
  secrets,
  secretPasting,
  permissions,
  declaredNeeds,
  fileKinds,
  limits,
  descriptions,
  references,
  approval,
  ...length,
].sort((a, b) => (a.id < b.id ? -1 : 1));

/** Replaces findings beyond 20 of one rule in one file. */
export const MORE: LintRule = {
  id: "lint.more",
  severity: "info",
  title: "More findings than are listed",
  help: "Fix the listed findings, then lint again.",
};

/** All rules of `lintSkill` as data, starting with `SEC-01`. */
export const lintRules: readonly LintRule[] = [...checkedRules, MORE].map(
  ({ id, severity, title, help }) => ({
    id,
    severity,
    title,
    help,
  }),
);
