import { root } from "../../scripts/bootstrap/root.mjs";

const { fsRepository } = await import(`${root}/packages/repository-fs/dist/index.js`);

/** A new repository each time, so that nothing is cached from the previous round. */
export default {
  title: "fsRepository().list()",
  diagnostics: "yes",
  folders: async (directory) => (await fsRepository({ root: directory }).list()).skills,
  description: (summary) => summary.description,
};
