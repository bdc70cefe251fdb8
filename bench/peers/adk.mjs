import { loadAllSkillsInDir } from "@google/adk";

export default {
  package: "@google/adk",
  diagnostics: "logged",
  folders: async (directory) => Object.values(await loadAllSkillsInDir(directory)),
  description: (skill) => skill.frontmatter.description,
};
