/** A process that runs a skill with packages, using the built packages: `prepare-environment.mjs <directory> <files as JSON>`. */
import path from "node:path";
import { memoryRepository } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { environmentStore, workspaceManager } from "@skillwright/workspace";

const [directory = "", files = "{}"] = process.argv.slice(2);
const workspaces = workspaceManager({
  skills: skillBox({ own: memoryRepository({ skills: { demo: JSON.parse(files) } }) }),
  runtime: localRuntime({ root: path.join(directory, "workspaces") }),
  environments: environmentStore({ root: path.join(directory, "environments") }),
});
const { id } = await workspaces.forSession({ app: "test", user: "ada", session: "killed" });
await workspaces.run(id, { skill: "demo", command: "true" }, { approveInstall: async () => true });
