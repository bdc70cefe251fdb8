export { eitherSignal } from "./abort.js";
export { pathSpellings } from "./archive/path-spellings.js";
export { type Attempt, attempts } from "./attempts.js";
export { delegate } from "./delegate.js";
export {
  brokenFolder,
  type FoundSkill,
  fileNotFound,
  folderSummary,
  inListingOrder,
  invalidSkill,
  isSummary,
  pickSkill,
  skillListing,
  skillNotFound,
} from "./repository/found-skill.js";
export { repositoryDiagnostic } from "./repository/repository-diagnostics.js";
export { type ListedFile, type SkillFolder, skillFileOf, skillFolder } from "./repository/skill-folder.js";
export { skillFolders } from "./repository/skill-folders.js";
export { untilItWorks } from "./shared-work.js";
export { isShownRightly } from "./shown-rightly.js";
export { hasControlCharacters } from "./skill/field-text.js";
export { findField } from "./skill/fields/find-field.js";
export { readSkillFields } from "./skill/fields/skill-fields.js";
export { readSkillDocument } from "./skill/skill-document.js";
export type { YamlEntry } from "./skill/yaml-mapping.js";
export { type TaskQueue, taskQueue } from "./task-queue.js";
export { hiddenText, visibleText } from "./visible-text.js";
