export { mentionedSkills } from "./commands/mentioned-skills.js";
export { skillCommandText, skillMentionText } from "./commands/skill-command-text.js";
export {
  type ExpandedCommand,
  type SlashCommand,
  type SlashCommands,
  type SlashCommandsInput,
  slashCommands,
} from "./commands/slash-commands.js";
export {
  type Injection,
  type Injector,
  type InjectorInput,
  injector,
  type PromptParts,
  withPreface,
} from "./injector.js";
export type {
  InjectorOptions,
  InjectorText,
  InjectorTexts,
  OverviewFormat,
  OverviewRenderer,
} from "./injector-options.js";
export { deltaOfAgent, stateOfAgent } from "./loads/agent-state.js";
export { loadedNames } from "./loads/loaded-names.js";
export { presentLoads } from "./loads/present-loads.js";
export {
  type DeclaredLoad,
  type LoadLife,
  type SkillLoads,
  type SkillLoadsOptions,
  skillLoads,
} from "./loads/skill-loads.js";
export {
  type ProfileInjection,
  type ProfileInjectionInput,
  profileInjection,
} from "./profile/agent-profile.js";
export { skillChanges } from "./skill-changes.js";
export type { SkillContext } from "./skill-context.js";
export { type TriggeredSkill, type TriggerResult, triggeredSkills } from "./triggers/triggered-skills.js";
