import type { CallOptions, Diagnostic, SkillError, SkillListing } from "@skillwright/core";
import { checkAborted, untilAborted } from "@skillwright/core/adapter";
import { lastListing } from "./last-listing.js";
import type { NamedSource } from "./named-sources.js";

export interface SourceListing extends SkillListing {
  readonly from: NamedSource;
  /** Set when the repository could not be listed now; the lists are then its last ones, if any. */
  readonly failure?: SkillError;
}

/**
 * Lists all sources concurrently, in their order. A source that fails gives a diagnostic, keeps its last listing and
 * hides no other. Where a repository returned the same frozen listing object as before, its result here is the same
 * object too.
 * @throws SkillError `ABORTED` as soon as the caller's signal fires, even while a source does not answer.
 */
export async function listSources(
  sources: readonly NamedSource[],
  options: CallOptions,
): Promise<readonly SourceListing[]> {
  const listings = Promise.all(sources.map((source) => listing(source, options)));
  const listed = await untilAborted(listings, options.signal);
  // A repository that failed with `ABORTED` counts as failed.
  checkAborted(options.signal);
  return listed;
}

const known = new WeakMap<NamedSource, { readonly given: SkillListing; readonly listing: SourceListing }>();

async function listing(from: NamedSource, { signal }: CallOptions): Promise<SourceListing> {
  const { listing: given, failure } = await lastListing(from.repository, from.source, { signal });
  const last = known.get(from);
  if (!failure && last?.given === given) return last.listing;
  const { skills, broken, diagnostics } = given;
  const named = diagnostics.map((told) => namingSource(told, from));
  if (failure)
    return { from, skills, broken, diagnostics: [...named, failure.diagnostic], failure: failure.error };
  const listed = { from, skills, broken, diagnostics: named };
  if ([given, skills, broken, diagnostics].every(Object.isFrozen))
    known.set(from, { given, listing: listed });
  return listed;
}

function namingSource(diagnostic: Diagnostic, { source }: NamedSource): Diagnostic {
  return { ...diagnostic, message: `${source}: ${diagnostic.message}` };
}
