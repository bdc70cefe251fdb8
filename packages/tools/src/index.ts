export type { InteractiveOptions } from "./interactive/started-runs.js";
export { type CommandPolicyOptions, commandPolicy } from "./policy/command-policy.js";
export type { MustAsk, MustAskQuestion } from "./run/run-permission.js";
export { type SkillToolsOptions, skillTools } from "./skill-tools.js";
