/** Normalizes an ETag for comparison: listings and answers quote it differently. `""` where there is none. */
export function plainEtag(etag: string | undefined): string {
  return (etag ?? "").replace(/^W\//, "").replace(/^"|"$/g, "");
}
