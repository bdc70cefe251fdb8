import { createHash } from "node:crypto";
import type { SourceListing } from "./list-sources.js";

/**
 * SHA-256 over every input of a snapshot as canonical JSON. A digest that became known is no input, and of a failure
 * only the code is one: neither changes what the catalogue offers.
 */
export function fingerprint(listings: readonly SourceListing[]): string {
  const sources = listings.map(({ from, skills, broken, diagnostics, failure }) => ({
    source: from.source,
    trusted: from.trusted,
    failure: failure?.code ?? null,
    skills: skills.map(({ name, description, path, changeMark, version, frontmatter }) => ({
      name,
      description,
      path,
      changeMark,
      version: version ?? null,
      frontmatter,
    })),
    broken,
    diagnostics: failure ? [] : diagnostics,
  }));
  return createHash("sha256")
    .update(JSON.stringify({ formatVersion: 1, sources }, sortedKeys))
    .digest("hex");
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
