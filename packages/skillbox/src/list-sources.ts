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
 * All sources at the same time, in their order. One that fails becomes a diagnostic and hides no other.
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

async function listing(from: NamedSource, options: CallOptions): Promise<SourceListing> {
  try {
    const { skills, broken, diagnostics } = await from.repository.list(options);
    return { from, skills, broken, diagnostics: diagnostics.map((told) => namingSource(told, from)) };
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
