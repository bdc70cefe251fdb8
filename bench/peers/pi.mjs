import { loadSkillsFromDir, parseFrontmatter } from "@earendil-works/pi-coding-agent";

export default {
  package: "@earendil-works/pi-coding-agent",
  title: "pi",
  diagnostics: { text: "thrown", folders: "yes" },
  text: (content) => parseFrontmatter(content),
  folders: (directory) => loadSkillsFromDir({ dir: directory, source: "project" }).skills,
  description: (skill) => (skill.frontmatter ?? skill).description,
};
