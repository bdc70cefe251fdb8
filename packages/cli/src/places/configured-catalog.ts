import {
  type LoadedConfiguration,
  loadConfiguration,
  openPlace,
  placesSearchStore,
  type SkillPlace,
  sourceClients,
} from "@skillwright/config";
import type { SkillCatalog, SkillRepository } from "@skillwright/core";
import type { SkillSettings } from "@skillwright/skillbox";
import { eligible, localHost, type SkillHost, skillBox } from "@skillwright/skillbox";
import type { CliContext } from "../cli-context.js";
import { placesOf } from "./places-of.js";

/** The configured places of skills and their catalogues. */
export interface ConfiguredCatalog extends AsyncDisposable {
  readonly loaded: LoadedConfiguration;
  readonly places: readonly SkillPlace[];
  /** All skills, whether or not they can be used here. */
  readonly whole: SkillCatalog;
  /** Without the skills that cannot be used here. */
  readonly usable: SkillCatalog;
  readonly host: SkillHost;
  /** The configured skill settings, including the sources to which `allow_bundled` applies. */
  readonly settings: SkillSettings;
}

/** @throws SkillError `CONFIG_INVALID` naming the file and the field. */
export async function configuredCatalog(
  context: Pick<CliContext, "cwd" | "env" | "signal" | "bundledSkills">,
  flags: readonly string[],
): Promise<ConfiguredCatalog> {
  const { cwd, env, signal } = context;
  const loaded = await loadConfiguration({ cwd, env, signal });
  const { skills } = loaded.configuration;
  const places = await placesOf(context, flags, skills);
  const clients = sourceClients(env);
  const repositories = new Map<string, SkillRepository>();
  const close = async (): Promise<void> => {
    for (const repository of repositories.values()) await repository.close();
    await clients.close();
  };
  try {
    for (const place of places)
      if (place.found) repositories.set(place.source, await openPlace(place, { cwd, clients }));
  } catch (error) {
    await close();
    throw error;
  }
  const sources = places.flatMap(({ source, trusted, remote, hidesOthers }) => {
    const repository = repositories.get(source);
    const settings = { trusted, hidesOthers, searchBodies: remote === undefined };
    return repository ? [[source, { repository, ...settings }] as const] : [];
  });
  const whole = skillBox(Object.fromEntries(sources), {
    searchStore: placesSearchStore(places),
    ...(skills.allow && { only: { skills: skills.allow } }),
  });
  const host = localHost({ env });
  const bundledSources = places.filter(({ kind }) => kind === "bundled").map(({ source }) => source);
  const settings = { ...skills.settings, bundledSources };
  return {
    loaded,
    places,
    whole,
    usable: eligible(whole, { host, settings }),
    host,
    settings,
    [Symbol.asyncDispose]: async () => {
      await whole.close();
      await close();
    },
  };
}
