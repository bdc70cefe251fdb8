/**
 * Restores a snapshot and is killed as soon as the runtime has created the workspace: `restore-and-die.mjs <directory>
 * <snapshot>`, from the built packages.
 */
import { createReadStream } from "node:fs";
import path from "node:path";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { workspaceManager } from "@skillwright/workspace";

const [directory = "", snapshot = ""] = process.argv.slice(2);
const local = localRuntime({ root: path.join(directory, "workspaces"), isolation: "none" });
const runtime = {
  ...local,
  async create(...given) {
    await local.create(...given);
    process.kill(process.pid, "SIGKILL");
    return await new Promise(() => undefined);
  },
};
const workspaces = workspaceManager({ skills: skillBox({}), runtime });
const session = { app: "test", user: "ada", session: "restored" };
await workspaces.restore(createReadStream(snapshot), { session });
