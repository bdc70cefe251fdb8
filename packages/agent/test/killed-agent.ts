import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const CHILD = fileURLToPath(new URL("children/agent-to-kill.mjs", import.meta.url));

/** Runs an agent in a process of its own until it has a workspace, and kills the process. Returns the workspace's id. */
export async function killedAgent(root: string, session = ""): Promise<string> {
  const child = spawn(process.execPath, [CHILD, root, session], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  await Promise.race([once(child.stdout, "data"), closed]);
  child.kill("SIGKILL");
  await closed;
  const [id, ...more] = await workspacesIn(root);
  if (id === undefined || more.length > 0)
    throw new Error(`There are ${more.length + 1} workspaces or none.`);
  return id;
}

export async function workspacesIn(root: string): Promise<readonly string[]> {
  return (await readdir(root)).filter((name) => name.startsWith("ws_"));
}
