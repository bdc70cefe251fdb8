import { experimental_createSkillTool } from "bash-tool";

export default {
  package: "bash-tool",
  diagnostics: "no",
  folders: async (directory) => (await experimental_createSkillTool({ skillsDirectory: directory })).skills,
  description: (skill) => skill.description,
};
