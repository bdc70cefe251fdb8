/**
 * A process that runs a skill with packages, using the built packages: `prepare-environment.mjs <directory> <files as JSON>`, and
 * options of the Docker runtime as JSON; without them, on the local runtime.
 */
import path from "node:path";
import { recordRegistry } from "@skillwright/records";
import { fsRecords } from "@skillwright/repository-fs";
import { memoryRepository } from "@skillwright/repository-memory";
import { dockerRuntime } from "@skillwright/runtime-docker";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { environmentStore, workspaceManager } from "@skillwright/workspace";

const [directory = "", files = "{}", docker] = process.argv.slice(2);
const below = (name) => path.join(directory, name);
const place =
  docker === undefined
    ? { runtime: localRuntime({ root: below("workspaces") }) }
    : {
        runtime: dockerRuntime(JSON.parse(docker)),
        registry: recordRegistry(fsRecords({ root: below("registry") })),
      };
const workspaces = workspaceManager({
  skills: skillBox({ own: memoryRepository({ skills: { demo: JSON.parse(files) } }) }),
  ...place,
  environments: environmentStore({ root: below("environments") }),
});
const { id } = await workspaces.forSession({ app: "test", user: "ada", session: "killed" });
await workspaces.run(id, { skill: "demo", command: "true" }, { approveInstall: async () => true });
