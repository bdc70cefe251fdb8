import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { LoadedConfiguration } from "../../src/file/configuration.js";
import { loadConfiguration } from "../../src/file/load-configuration.js";

export interface ProjectAndHome {
  readonly root: string;
  readonly project: string;
  readonly home: string;
  load(env?: Readonly<Record<string, string>>, cwd?: string): Promise<LoadedConfiguration>;
}

/** A project beside a home, with the given files below their common root; values that are not texts are written as JSON. */
export async function projectAndHome(files: Readonly<Record<string, unknown>>): Promise<ProjectAndHome> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "skillwright-config-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const project = join(root, "project");
  const home = join(root, "home");
  await Promise.all([mkdir(project), mkdir(home)]);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    const text = typeof content === "string" ? content : JSON.stringify(content);
    await writeFile(join(root, path), text.replaceAll("<root>", root));
  }
  const load: ProjectAndHome["load"] = (env = {}, cwd = project) =>
    loadConfiguration({ cwd, home, env: { ...env } });
  return { root, project, home, load };
}

export const HOME = "home/.skillwright/skillwright.config.json";
export const PROJECT = "project/skillwright.config.json";
