export type { SkillSource } from "./named-sources.js";
export { skillBox } from "./skill-box.js";
