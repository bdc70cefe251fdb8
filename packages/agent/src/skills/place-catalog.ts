import {
  type LockFile,
  locked,
  type OpenedRecords,
  openPlace,
  placesSearchStore,
  type SkillPlace,
  type SourceClients,
} from "@skillwright/config";
import type { Closable, ContentStore, SkillCatalog, SkillRepository, TrustStore } from "@skillwright/core";
import type { SkillSettings, SkillSource } from "@skillwright/skillbox";
import { cached, eligible, indexed, type SkillHost, skillBox } from "@skillwright/skillbox";

/** The host, settings and stores of a catalogue over places. */
export interface PlaceCatalogOptions {
  /** Where commands run. */
  readonly host: SkillHost;
  /** User configuration for skills. */
  readonly settings: SkillSettings;
  /** The only allowed skills; missing allows all, empty allows none. */
  readonly allow: readonly string[] | undefined;
  /** Absolute. */
  readonly cwd: string;
  readonly clients: SourceClients;
  /** Stores files of remote sources. */
  readonly content: ContentStore;
  /** Remote sources are listed from its indexes, where there is one. */
  readonly index: OpenedRecords["index"];
  /** Restricts remote sources and the project's own folders to locked content. */
  readonly lock: LockFile | undefined;
  /** Approved content of untrusted places loads as trusted. */
  readonly trust?: TrustStore | undefined;
}

/**
 * One catalogue over the existing places. Skills that cannot be used here are left out with a reason. Closing it closes
 * the places' repositories.
 */
export async function placeCatalog(
  places: readonly SkillPlace[],
  options: PlaceCatalogOptions,
): Promise<SkillCatalog> {
  const sources: Record<string, SkillSource> = {};
  const opened: Closable[] = [];
  const closeAll = async (): Promise<void> => {
    for (const one of opened.reverse()) await one.close();
  };
  try {
    for (const place of places.filter(({ found }) => found)) {
      const repository = await placeRepository(place, options, opened);
      sources[place.source] = {
        repository: held(repository, place, options),
        trusted: place.trusted,
        hidesOthers: place.hidesOthers,
        // For a remote source, each body would be a separate request.
        searchBodies: place.remote === undefined,
      };
    }
    const { host, settings, allow, trust } = options;
    const bundledSources = places.filter(({ kind }) => kind === "bundled").map(({ source }) => source);
    const searchStore = placesSearchStore(places);
    const whole = skillBox(sources, { trust, searchStore, ...(allow && { only: { skills: allow } }) });
    const catalog: SkillCatalog = eligible(whole, { host, settings: { ...settings, bundledSources } });
    const close = async (): Promise<void> => {
      await catalog.close();
      await closeAll();
    };
    return { ...catalog, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** A lock file applies to remote sources and to what came with the project, not to the user's own folders. */
function held(
  repository: SkillRepository,
  { remote, trusted }: SkillPlace,
  { lock }: PlaceCatalogOptions,
): SkillRepository {
  return lock && (remote !== undefined || !trusted) ? locked(repository, lock) : repository;
}

async function placeRepository(
  place: SkillPlace,
  { cwd, clients, content, index }: PlaceCatalogOptions,
  opened: Closable[],
): Promise<SkillRepository> {
  const open = <Opened extends Closable>(one: Opened): Opened => {
    opened.push(one);
    return one;
  };
  const repository = open(await openPlace(place, { cwd, clients }));
  const { remote } = place;
  if (remote === undefined) return repository;
  const listed = index ? open(indexed(repository, index(remote))) : repository;
  return open(cached(listed, { content, name: remote }));
}
