export interface StoredObject {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly lastModified: number;
}

/** The XML of a page of a listing: at most 1,000 keys, in the order of their bytes. */
export function listAnswer(objects: ReadonlyMap<string, StoredObject>, query: URLSearchParams): string {
  const prefix = query.get("prefix") ?? "";
  const after = query.get("continuation-token") ?? query.get("start-after") ?? "";
  const size = Math.min(1000, Number(query.get("max-keys") ?? 1000));
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(prefix) && Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0)
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const page = keys.slice(0, size);
  const isCut = keys.length > page.length;
  return listXml(
    page.map((key) => ({ key, object: objects.get(key) as StoredObject })),
    isCut ? page.at(-1) : undefined,
  );
}

export function listXml(
  contents: readonly { readonly key: string; readonly object: StoredObject }[],
  next: string | undefined,
): string {
  const entries = contents.map(
    ({ key, object: { bytes, etag, lastModified } }) =>
      `<Contents><Key>${encodeURIComponent(key).replaceAll("%2F", "/").replaceAll("%20", "+")}</Key><Size>${bytes.byteLength}</Size>` +
      `<ETag>${etag.replaceAll('"', "&quot;")}</ETag><LastModified>${new Date(lastModified).toISOString()}</LastModified></Contents>`,
  );
  const token = next === undefined ? "" : `<NextContinuationToken>${escaped(next)}</NextContinuationToken>`;
  const isTruncated = `<IsTruncated>${next !== undefined}</IsTruncated>`;
  return `<?xml version="1.0"?><ListBucketResult><Name>bucket</Name>${isTruncated}${token}${entries.join("")}</ListBucketResult>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
