// Runs a command under a key in the workspace of a session, and tells when its output begins.
import { memoryArtifacts } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { workspaceManager } from "@skillwright/workspace";

const [root, isolation, session, run, key] = process.argv.slice(2);
const workspaces = workspaceManager({
  skills: skillBox({}),
  runtime: localRuntime({ root, isolation }),
  artifacts: memoryArtifacts(),
});
const { id } = await workspaces.forSession(JSON.parse(session));
const onEvent = ({ type }) => type === "run.output" && console.log(id);
await workspaces.run(id, JSON.parse(run), { key, onEvent });
