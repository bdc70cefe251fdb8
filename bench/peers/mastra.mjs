import { resolveAgentSkills } from "@mastra/core/skills";

export default {
  package: "@mastra/core",
  diagnostics: "logged",
  folders: (directory) => resolveAgentSkills([directory]).list(),
  description: (skill) => skill.description,
};
