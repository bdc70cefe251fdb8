import {
  type CallOptions,
  checkAborted,
  type Diagnostic,
  SkillError,
  type SkillListing,
  untilAborted,
} from "@skillwright/core";
import type { NamedSource } from "./named-sources.js";

export interface SourceListing extends SkillListing {
  readonly from: NamedSource;
  /** Set where the repository could not be listed; the lists are then empty. */
  readonly failure?: SkillError;
}

/**
 * All sources at the same time, in their order. One that fails becomes a diagnostic and hides no other. A source whose
 * repository gave the very same frozen listing as before has the very same one here.
 * @throws SkillError `ABORTED` as soon as the caller's signal fires, also while a source does not answer.
 */
export async function listSources(
  sources: readonly NamedSource[],
  options: CallOptions,
): Promise<readonly SourceListing[]> {
  const listings = Promise.all(sources.map((source) => listing(source, options)));
  const listed = await untilAborted(listings, options.signal);
  // A repository that ended with it is in there as one that failed.
  checkAborted(options.signal);
  return listed;
}

const known = new WeakMap<NamedSource, { readonly given: SkillListing; readonly listing: SourceListing }>();

async function listing(from: NamedSource, { signal }: CallOptions): Promise<SourceListing> {
  try {
    const given = await from.repository.list({ signal });
    const last = known.get(from);
    if (last?.given === given) return last.listing;
    const { skills, broken, diagnostics } = given;
    const listed = { from, skills, broken, diagnostics: diagnostics.map((told) => namingSource(told, from)) };
    if ([given, skills, broken, diagnostics].every(Object.isFrozen))
      known.set(from, { given, listing: listed });
    return listed;
  } catch (error) {
    const failure = SkillError.from(error, `Listing ${from.repository.label}`);
    return { from, skills: [], broken: [], diagnostics: [failed(from, failure)], failure };
  }
}

function namingSource(diagnostic: Diagnostic, { source }: NamedSource): Diagnostic {
  return { ...diagnostic, message: `${source}: ${diagnostic.message}` };
}

function failed({ source }: NamedSource, { code, message }: SkillError): Diagnostic {
  return {
    code: "repository.failed",
    severity: "error",
    message: `The skills of "${source}" are missing because it could not be listed (${code}): ${message}`,
    hint: "Repair or remove this source; the others are not affected.",
  };
}
