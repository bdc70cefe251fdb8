import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { Readable } from "node:stream";
import { loadSkillCatalog, parseSkill, workspace } from "agents/skills";

export default {
  package: "agents",
  title: "cloudflare agents",
  diagnostics: "yes",
  text: parsed,
  folders: async (directory) => (await loadSkillCatalog([workspace({ fs }, { root: directory })])).skills,
  description: (skill) => (skill.skill ?? skill).description,
};

function parsed(content, directoryName) {
  const result = parseSkill(content, { directory: directoryName });
  if (!result.ok) throw result.error;
  return result.value;
}

/** The file system that its workspace requires; it has none for Node. */
const fs = {
  async find(directory) {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries.map((entry) => ({
      path: `${entry.parentPath}/${entry.name}`,
      type: entry.isFile() ? "file" : "directory",
    }));
  },
  async readFile(path) {
    return Readable.toWeb(createReadStream(path));
  },
};
