import { built } from "../built.mjs";

const { fsRepository } = await built("repository-fs");

/** A new repository each time, so that nothing is cached from the previous round. */
export default {
  title: "fsRepository().list()",
  diagnostics: "yes",
  folders: async (directory) => (await fsRepository({ root: directory }).list()).skills,
  description: (summary) => summary.description,
};
