/**
 * A process that prepares a session's workspace, using the built packages: `bootstrap-workspace.mjs <directory>
 * <isolation> <step as JSON>`.
 */
import path from "node:path";
import { memoryRepository } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { fsBootstrapCache, workspaceManager } from "@skillwright/workspace";

const [directory = "", isolation = "none", step = "{}"] = process.argv.slice(2);
const workspaces = workspaceManager({
  skills: skillBox({ own: memoryRepository() }),
  runtime: localRuntime({ root: path.join(directory, "workspaces"), isolation }),
  bootstrap: [JSON.parse(step)],
  bootstrapCache: fsBootstrapCache({ root: path.join(directory, "cache") }),
});
const { id } = await workspaces.forSession({ app: "test", user: "ada", session: "s1" });
await workspaces.run(id, { command: "true" });
