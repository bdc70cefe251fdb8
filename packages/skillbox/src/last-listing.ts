import {
  type CallOptions,
  type Diagnostic,
  SkillError,
  type SkillListing,
  type SkillRepository,
} from "@skillwright/core";
import { checkAborted, type SkillWatch } from "@skillwright/core/adapter";
import { keepBroken, withKept } from "./broken-since.js";

/** A repository's listing or, where it fails, its last successful one. */
export interface LastListing {
  /** Empty where the repository failed and was never listed before. */
  readonly listing: SkillListing;
  /** Set where the repository could not be listed now. */
  readonly failure?: { readonly error: SkillError; readonly diagnostic: Diagnostic };
}

/**
 * Lists a repository, unless a watch shows that its last listing is still valid. When listing fails, the result is the
 * last listing that this process got, with the diagnostic `repository.stale`; without one it is empty, with
 * `repository.failed`.
 * @param label The name of the repository in the diagnostic.
 * @throws SkillError `ABORTED` when the caller's signal fired.
 */
export async function lastListing(
  repository: SkillRepository,
  label: string,
  { signal }: CallOptions,
): Promise<LastListing> {
  wereListed.add(repository);
  try {
    const last = good.get(repository);
    if (last && (await isCurrent(repository, last))) return { listing: withKept(repository, last) };
    const listing = await repository.list({ signal });
    keepBroken(repository, good.get(repository), listing);
    good.set(repository, listing);
    return { listing: withKept(repository, listing) };
  } catch (thrown) {
    checkAborted(signal);
    const error = SkillError.from(thrown, `Listing ${repository.label}`);
    const listing = knownListing(repository);
    if (!listing) return { listing: NOTHING, failure: { error, diagnostic: failed(label, error) } };
    return { listing, failure: { error, diagnostic: stale(label, error, listing.skills.length) } };
  }
}

/** The last successful listing, for the lifetime of the repository object. */
const good = new WeakMap<SkillRepository, SkillListing>();

const wereListed = new WeakSet<SkillRepository>();

/** The last successful listing that this process got. */
export function knownListing(repository: SkillRepository): SkillListing | undefined {
  const listing = good.get(repository);
  return listing && withKept(repository, listing);
}

/** True where this process has tried to list it. */
export function wasListed(repository: SkillRepository): boolean {
  return wereListed.has(repository);
}

const watches = new WeakMap<SkillRepository, Set<SkillWatch>>();

/** Makes listings ask the watch before the repository. @returns Function that ends this. */
export function askWatch(repository: SkillRepository, watch: SkillWatch): () => void {
  const open = watches.get(repository) ?? new Set();
  watches.set(repository, open.add(watch));
  return () => void open.delete(watch);
}

async function isCurrent(repository: SkillRepository, listing: SkillListing): Promise<boolean> {
  const [watch] = watches.get(repository) ?? [];
  // If the watch fails, the repository is listed, and that reports the reason.
  return (await watch?.isCurrent?.(listing).catch(() => false)) ?? false;
}

const NOTHING: SkillListing = { skills: [], broken: [], diagnostics: [] };

function failed(label: string, { code, message }: SkillError): Diagnostic {
  return {
    code: "repository.failed",
    severity: "error",
    message: `The skills of "${label}" are missing because it could not be listed (${code}): ${message}`,
    hint: "Repair or remove this source. The other sources are listed.",
  };
}

function stale(label: string, { code, message }: SkillError, skills: number): Diagnostic {
  const shown =
    skills === 1 ? "Its 1 skill is shown as it was" : `Its ${skills} skills are shown as they were`;
  return {
    code: "repository.stale",
    severity: "warning",
    message: `The source "${label}" cannot be listed now (${code}): ${message} ${shown} last listed.`,
    hint: "Its skills may fail to load until the source can be reached again. Each new snapshot tries again.",
  };
}

/** Reports a skill whose source cannot be reached now. */
export function staleSkill(label: string, { code, message }: SkillError): Diagnostic {
  return {
    code: "repository.stale",
    severity: "warning",
    message: `The source "${label}" cannot be reached now (${code}): ${message} The skill is shown as it was last listed.`,
    hint: "It may have changed since. Try again when its source can be reached.",
  };
}
