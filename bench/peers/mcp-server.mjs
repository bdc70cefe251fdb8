import { loadSkills } from "@modelcontextprotocol/server/ext/skills/node";

export default {
  package: "@modelcontextprotocol/server",
  diagnostics: "yes",
  note: "its own subset of YAML",
  folders: async (directory) => (await loadSkills(directory)).entries,
  description: (skill) => skill.frontmatter.description,
};
