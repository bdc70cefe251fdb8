import { Skill } from "@strands-agents/sdk/vended-plugins/skills";

export default {
  package: "@strands-agents/sdk",
  diagnostics: "logged",
  text: (content) => Skill.fromContent(content),
  folders: (directory) => Skill.fromDirectory(directory),
  description: (skill) => skill.description,
};
