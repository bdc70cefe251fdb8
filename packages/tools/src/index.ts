export type { MustAsk, MustAskQuestion } from "./run/run-permission.js";
export { type SkillToolsOptions, skillTools } from "./skill-tools.js";
