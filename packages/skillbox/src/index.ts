export { type CachedOptions, type CachedRepository, cached } from "./cached.js";
export { type IndexedOptions, type IndexedRepository, indexed } from "./indexed.js";
export { type LayeredRepository, layered } from "./layered.js";
export type { SkillSource } from "./named-sources.js";
export { skillBox } from "./skill-box.js";
