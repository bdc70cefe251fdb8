export { type CachedOptions, type CachedRepository, cached } from "./cached.js";
export {
  type Eligibility,
  eligibility,
  type IneligibilityReason,
  neededPrograms,
} from "./eligible/eligibility.js";
export { type EligibleOptions, eligible } from "./eligible/eligible.js";
export type { HostFacts } from "./eligible/host-facts.js";
export { ineligibleDiagnostic } from "./eligible/ineligible-diagnostic.js";
export { type LocalHostOptions, localHost, type SkillHost } from "./eligible/local-host.js";
export { type RuntimeHostOptions, runtimeHost } from "./eligible/runtime-host.js";
export type { JudgedSkill, SkillSetting, SkillSettings } from "./eligible/skill-settings.js";
export { type SkillVariables, skillVariables } from "./eligible/skill-variables.js";
export { type IndexedOptions, type IndexedRepository, indexed } from "./indexed.js";
export { type LayeredRepository, layered } from "./layered.js";
export type { SkillSource } from "./named-sources.js";
export type { SearchStore } from "./search/kept-terms.js";
export { skillBox } from "./skill-box.js";
export type { RequestOptions, SkillBox, SkillBoxOptions } from "./skill-box-options.js";
export type { SkillFilter, SkillReference } from "./skill-filter.js";
