import { dirname } from "node:path";
import { SkillError, type SkillRepository } from "@skillwright/core";
import { type FsRepositoryOptions, fsRepository } from "@skillwright/repository-fs";
import { type OpenSourceOptions, openSkillSource } from "../sources/open-skill-source.js";
import type { SkillPlace, StandardPlaceKind } from "./skill-place.js";

/**
 * Opens the repository of an existing place. In folders of project, user and plugins a file `name.md` with a header is a
 * skill, too, except in plugins with a `plugin.json`. If one that the configuration names cannot be opened, or a
 * `plugin.json` is rejected, each call of it fails instead, so that a catalogue reports it and still has the skills of
 * the others.
 * @throws SkillError as `openSkillSource`, for a place given by flag or variable.
 */
export async function openPlace(
  { kind, root, remote, environment, linkRoots, listedRoots }: SkillPlace,
  options: Pick<OpenSourceOptions, "cwd" | "clients">,
): Promise<SkillRepository> {
  if (remote === undefined && kind === "plugin") return await openPlugin({ root, linkRoots, listedRoots });
  if (remote === undefined) return fsRepository({ root, flat: FLAT.has(kind), linkRoots, listedRoots });
  try {
    return await openSkillSource(remote, { ...options, environment });
  } catch (error) {
    if (kind !== "repository") throw error;
    return failingRepository(root, SkillError.from(error, `Opening ${root}`));
  }
}

/**
 * A plugin with a `plugin.json` has only the skills that its format knows, none that lead out of it, and none at all where
 * that file is rejected.
 */
async function openPlugin(place: FsRepositoryOptions): Promise<SkillRepository> {
  const { pluginPath, readPluginManifest } = await import("@skillwright/plugins");
  try {
    const plugin = await readPluginManifest(dirname(place.root));
    if (!plugin) return fsRepository({ ...place, flat: true });
    await pluginPath(plugin, "skills");
    return fsRepository({ ...place, limits: { depth: 1 }, linkRoots: [plugin.root] });
  } catch (error) {
    return failingRepository(place.root, SkillError.from(error, `Reading the plugin of ${place.root}`));
  }
}

/** Where a `name.md` beside the folders is a skill, too. Without a header it is reported as an info. */
const FLAT: ReadonlySet<StandardPlaceKind> = new Set(["project", "user"]);

function failingRepository(label: string, error: SkillError): SkillRepository {
  const fail = () => Promise.reject(error);
  const close = () => Promise.resolve();
  return { label, list: fail, load: fail, open: fail, refresh: fail, close, [Symbol.asyncDispose]: close };
}
