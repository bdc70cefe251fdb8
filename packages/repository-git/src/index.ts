export { type GitSkillRepository, gitRepository } from "./git-repository.js";
export type { GitRepositoryOptions } from "./git-repository-options.js";
