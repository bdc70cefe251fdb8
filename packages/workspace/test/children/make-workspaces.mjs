/**
 * Creates ten workspaces, starts a run in one, reports that and lives until it is killed: `make-workspaces.mjs
 * <directory>`.
 */
import path from "node:path";
import { recordRegistry } from "@skillwright/records";
import { fsRecords } from "@skillwright/repository-fs";
import { memoryRepository } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { workspaceManager } from "@skillwright/workspace";

const [directory = ""] = process.argv.slice(2);
const workspaces = workspaceManager({
  skills: skillBox({ own: memoryRepository() }),
  runtime: localRuntime({ root: path.join(directory, "workspaces"), isolation: "none" }),
  registry: recordRegistry(fsRecords({ root: path.join(directory, "registry") })),
});
const made = await Promise.all(Array.from({ length: 10 }, () => workspaces.create()));
await workspaces.run(
  made[0].id,
  { command: "echo up; sleep 30" },
  { onEvent: ({ type }) => type === "run.output" && console.log("up") },
);
