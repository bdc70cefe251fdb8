import { dirname } from "node:path";
import { Manifest } from "@openai/agents/sandbox";
import { localDirLazySkillSource } from "@openai/agents/sandbox/local";

export default {
  package: "@openai/agents",
  note: "loose line reader, no YAML",
  diagnostics: "no",
  folders: (directory) =>
    localDirLazySkillSource({ src: directory, baseDir: dirname(directory) }).getIndex(
      new Manifest({}),
      ".agents",
    ),
  description: (skill) => skill.description,
};
