import { basename, dirname } from "node:path";
import { NodeFilesystemBackend, Workspace } from "@voltagent/core";
import matter from "gray-matter";

export default {
  package: "@voltagent/core",
  diagnostics: "no",
  folders: discovered,
  description: (skill) => skill.description,
};

async function discovered(directory) {
  matter.clearCache(); // It reads with gray-matter's cache on: a second round would measure that.
  const workspace = new Workspace({
    filesystem: { backend: new NodeFilesystemBackend({ rootDir: dirname(directory) }) },
    skills: { rootPaths: [`/${basename(directory)}`], autoDiscover: false, autoIndex: false },
  });
  return await workspace.skills.discoverSkills();
}
