import type { CallOptions, CatalogChange, CatalogSnapshot, Diagnostic, SkillChange } from "@skillwright/core";
import { buildSnapshot } from "./build-snapshot.js";
import { changedSkills } from "./changed-skills.js";
import { listSources, type SourceListing } from "./list-sources.js";
import type { NamedSource } from "./named-sources.js";
import { type SkillFilter, seenThrough } from "./skill-filter.js";
import type { SkillSwitches } from "./skill-switches.js";

export interface CatalogSnapshots {
  /**
   * Takes a snapshot. Returns the previous object where nothing changed; calls `onChange` where the snapshot differs
   * from what listeners know.
   */
  take(options: CallOptions): Promise<CatalogSnapshot>;
  /** The newest snapshot taken. */
  latest(): CatalogSnapshot | undefined;
  /** Reports a change that was made here to `onChange`; the next snapshot does not report it again. */
  announce(change: CatalogChange): void;
  clear(): void;
}

interface SnapshotParts {
  readonly sources: () => readonly NamedSource[];
  readonly filters: readonly SkillFilter[];
  readonly switches: SkillSwitches;
  readonly onChange: (change: CatalogChange) => void;
}

interface Taken {
  readonly order: number;
  readonly listings: readonly SourceListing[];
  readonly revision: number;
  readonly snapshot: CatalogSnapshot;
}

export function catalogSnapshots({ sources, filters, switches, onChange }: SnapshotParts): CatalogSnapshots {
  let started = 0;
  let announced = 0;
  let newest: Taken | undefined;
  /**
   * The snapshot that listeners know, and the changes reported to them since. Unset after a change whose skills are
   * unknown.
   */
  let told: { readonly snapshot: CatalogSnapshot; readonly since: readonly SkillChange[] } | undefined;

  async function take({ signal }: CallOptions): Promise<CatalogSnapshot> {
    const order = ++started;
    const { revision } = switches;
    const listings = await listSources(sources(), { signal });
    if (newest && isSame(newest, listings, revision)) return newest.snapshot;
    const seen = listings.map((listing) => enabledSkills(seenThrough(filters, listing), switches));
    const snapshot = await buildSnapshot(seen);
    // One that started later has finished first and is newer.
    if (newest && newest.order > order) return snapshot;
    newest = { order, listings, revision, snapshot };
    // One that started before a reported change may show the state before it.
    if (order > announced) tellOf(snapshot);
    return snapshot;
  }

  function tellOf(snapshot: CatalogSnapshot): void {
    const known = told;
    told = { snapshot, since: [] };
    if (!known || known.snapshot.fingerprint === snapshot.fingerprint) return;
    const skills = changedSkills(known.snapshot, snapshot).filter(
      ({ name }) => !known.since.some((change) => change.name === name),
    );
    if (skills.length > 0 || known.since.length === 0) onChange({ skills, complete: true });
  }

  function announce(change: CatalogChange): void {
    announced = started;
    told = told && change.complete ? { ...told, since: [...told.since, ...change.skills] } : undefined;
    onChange(change);
  }

  function clear(): void {
    newest = undefined;
    told = undefined;
  }

  return { take, latest: () => newest?.snapshot, announce, clear };
}

function isSame(taken: Taken, listings: readonly SourceListing[], revision: number): boolean {
  if (taken.revision !== revision || taken.listings.length !== listings.length) return false;
  return listings.every((listing, index) => listing === taken.listings[index]);
}

/** Returns the listing without the skills that are switched off, with a diagnostic for each. */
function enabledSkills(listing: SourceListing, switches: SkillSwitches): SourceListing {
  const off = listing.skills.filter(({ name }) => switches.isOff(name));
  if (off.length === 0) return listing;
  return {
    ...listing,
    skills: listing.skills.filter(({ name }) => !switches.isOff(name)),
    diagnostics: [
      ...listing.diagnostics,
      ...off.map(({ name, path }) => disabled(name, path, listing.from.source)),
    ],
  };
}

function disabled(name: string, path: string, source: string): Diagnostic {
  return {
    code: "skill.disabled",
    severity: "info",
    message: `The skill "${name}" of "${source}" is disabled.`,
    hint: "Enable it in the configuration that disables it.",
    path,
  };
}
