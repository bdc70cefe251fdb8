// Creates workspaces that it would destroy on close, runs a command in one, reports, and waits to be killed.
import { once } from "node:events";
import path from "node:path";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { workspaceManager } from "@skillwright/workspace";

const [directory = ""] = process.argv.slice(2);
const runtime = localRuntime({ root: path.join(directory, "workspaces"), isolation: "none" });
const workspaces = workspaceManager({ skills: skillBox({}), runtime, destroyOnClose: true });
await workspaces.create();
const { id } = await workspaces.create();
const handle = await workspaces.start(id, { command: "echo begun; exec sleep 600" });
for await (const _ of handle.output()) {
  process.stdout.write("ready\n");
  break;
}
await once(process.stdin.resume(), "end");
await workspaces.close();
await runtime.close();
