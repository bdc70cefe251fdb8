import { createSkillsMiddleware, FilesystemBackend } from "deepagents";

export default {
  package: "deepagents",
  call: "createSkillsMiddleware",
  diagnostics: "logged",
  folders: listed,
  description: (skill) => skill.description,
};

async function listed(directory) {
  const backend = new FilesystemBackend({ rootDir: directory });
  const { beforeModel } = createSkillsMiddleware({ backend, sources: [directory] });
  const { skillsMetadata } = await (beforeModel.hook ?? beforeModel)({});
  return skillsMetadata;
}
