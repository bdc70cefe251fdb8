import { listSkills } from "deepagents";

export default {
  package: "deepagents",
  call: "listSkills",
  diagnostics: "logged",
  folders: (directory) => listSkills({ projectSkillsDir: directory }),
  description: (skill) => skill.description,
};
