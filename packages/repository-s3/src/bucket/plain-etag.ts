/** An ETag as it can be compared: listings and answers quote it in different ways. `""` where there is none. */
export function plainEtag(etag: string | undefined): string {
  return (etag ?? "").replace(/^W\//, "").replace(/^"|"$/g, "");
}
