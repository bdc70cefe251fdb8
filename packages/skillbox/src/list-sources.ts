import { type CallOptions, type Diagnostic, SkillError, type SkillListing } from "@skillwright/core";
import type { NamedSource } from "./named-sources.js";

export interface SourceListing extends SkillListing {
  readonly from: NamedSource;
  /** Set where the repository could not be listed; the lists are then empty. */
  readonly failure?: SkillError;
}

/**
 * All sources at the same time, in their order. One that fails becomes a diagnostic and hides no other.
 * @throws SkillError `ABORTED` when the caller's signal fired.
 */
export async function listSources(
  sources: readonly NamedSource[],
  options: CallOptions,
): Promise<readonly SourceListing[]> {
  const listings = await Promise.all(sources.map((source) => listing(source, options)));
  if (options.signal?.aborted) throw new SkillError("ABORTED", "Listing the skills was aborted.");
  return listings;
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
