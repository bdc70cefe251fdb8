import { fileURLToPath } from "node:url";
import { fsRepository } from "@skillwright/repository-fs";
import type { AgentServerOptions } from "@skillwright/server";
import { skillBox } from "@skillwright/skillbox";
import { scripted, testServer } from "../../../packages/server/test/test-server.js";
import { type ServedPage, servedPage } from "./served-page.js";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** The page with the bundled skills and the offline planner, or with these options. */
export async function pageServer(options: Partial<AgentServerOptions> = {}): Promise<ServedPage> {
  const skills = skillBox({ bundled: fsRepository({ root: `${ROOT}skills` }) });
  return await servedPage(testServer({ skills, ...options }));
}

/** The page with a model that says these steps. */
export async function scriptedPage(
  steps: Parameters<typeof scripted>[0],
  options: Partial<AgentServerOptions> = {},
  more: AgentServerOptions["dependencies"] = {},
): Promise<ServedPage> {
  const { agents, dependencies } = scripted(steps);
  return await servedPage(testServer({ agents, dependencies: { ...dependencies, ...more }, ...options }));
}

/** A step in which the model runs this command in the workspace. */
export function runStep(command: string) {
  return { calls: [{ tool: "workspace_run", input: { command } }] };
}
